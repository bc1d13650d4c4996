// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "base/message.h"
#include "base/memory.h"
#include "top/keys.h"
#include "top/screen.h"

// ENTER switches to the alternate screen, hides the cursor and stops line wrapping. LEAVE undoes
// that. Both use xterm's private modes, which today's terminals know.
#define ENTER "\033[?1049h\033[?25l\033[?7l\033[H\033[2J"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"

enum {
	// If a key sends several bytes, they arrive together, or at most this far apart.
	KEY_GAP_MS = 50,
	SAID_MAX = 512,
	SIGNALS = 7, // how many signals are handled
};

// Signal handlers use this state, too. So signals are blocked while screen_open() and
// screen_close() change the state. Handlers do not interrupt each other.
static struct {
	volatile sig_atomic_t is_open;
	// true while the terminal shows our screen; false while we are stopped
	volatile sig_atomic_t is_entered;
	volatile sig_atomic_t redraw;
	struct termios before;
	struct termios raw;
	int real_error; // a copy of the real standard error; -1 if it was not redirected
	int said;       // the file into which standard error is redirected; -1 if it is not
	sigset_t waiting; // the signal mask while we wait for a key
	struct keys keys;
	struct sigaction old[SIGNALS];
} state = {.real_error = -1, .said = -1};

// Returns true if we may change the terminal's settings, which a background job must not. If
// standard input is not our controlling terminal, tcgetpgrp() fails. Then we are no background job,
// and true is returned.
static bool
is_foreground(void)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);
	return group < 0 || group == getpgrp();
}

static void
enter(void)
{
	if (!is_foreground())
		return;
	tcsetattr(STDIN_FILENO, TCSANOW, &state.raw);
	if (!state.is_entered)
		output_write(STDOUT_FILENO, ENTER, sizeof(ENTER) - 1);
	state.is_entered = true;
	state.redraw = true;
}

static void
leave(void)
{
	if (!state.is_entered)
		return;
	state.is_entered = false;
	output_write(STDOUT_FILENO, LEAVE, sizeof(LEAVE) - 1);
	if (is_foreground())
		tcsetattr(STDIN_FILENO, TCSANOW, &state.before);
}

// Restores standard error. Then writes the contents of the file to standard error.
static void
give_error_back(void)
{
	char bytes[4096];
	ssize_t length;
	off_t at = 0;

	if (state.real_error < 0)
		return;
	dup2(state.real_error, STDERR_FILENO);
	close(state.real_error);
	state.real_error = -1;
	while ((length = pread(state.said, bytes, sizeof(bytes), at)) > 0) {
		output_write(STDERR_FILENO, bytes, (size_t)length);
		at += length;
	}
	close(state.said);
	state.said = -1;
}

static void
on_end(int number)
{
	// SA_RESETHAND has set the signal's action to the default. So raise() ends the process, once
	// this handler has returned.
	leave();
	give_error_back();
	raise(number);
}

static void
handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void
on_stop(int number)
{
	int saved_errno = errno;
	sigset_t only;
	sigset_t before;

	leave();
	handle(number, SIG_DFL, 0);
	raise(number);
	sigemptyset(&only);
	sigaddset(&only, number);
	// The process stops here, until it is continued. If its process group is orphaned, the kernel
	// ignores the signal, and we go on immediately.
	sigprocmask(SIG_UNBLOCK, &only, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	handle(number, on_stop, 0);
	enter();
	errno = saved_errno;
}

// Sets up the terminal again. After SIGTSTP, on_stop() has done this already. But SIGSTOP cannot be
// handled. While SIGSTOP stopped us, another program may have changed the terminal's settings.
static void
on_continue(int number)
{
	int saved_errno = errno;
	(void)number;
	enter();
	errno = saved_errno;
}

static void
on_resize(int number)
{
	(void)number;
	state.redraw = true;
}

static const struct {
	int number;
	void (*handler)(int);
	int flags;
} signals[SIGNALS] = {
	{SIGHUP, on_end, SA_RESETHAND},
	{SIGINT, on_end, SA_RESETHAND},
	{SIGQUIT, on_end, SA_RESETHAND},
	{SIGTERM, on_end, SA_RESETHAND},
	{SIGTSTP, on_stop, 0},
	{SIGCONT, on_continue, 0},
	{SIGWINCH, on_resize, 0},
};

bool
screen_is_possible(void)
{
	const char *name = getenv("TERM");
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name
		&& strcmp(name, "dumb") != 0;
}

static void
block(sigset_t *before)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
}

// Redirects standard error into a file. Only done if it is a terminal, where messages would disturb
// the screen.
static void
keep_error(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	state.said = memfd_create("said", MFD_CLOEXEC);
	if (state.said < 0)
		return;
	state.real_error = dup(STDERR_FILENO);
	if (state.real_error < 0) {
		close(state.said);
		state.said = -1;
		return;
	}
	fflush(stderr);
	dup2(state.said, STDERR_FILENO);
}

static void
set_handlers(void)
{
	for (int i = 0; i < SIGNALS; i++) {
		sigaction(signals[i].number, NULL, &state.old[i]);
		// Signals that were ignored stay ignored, as nohup(1) needs.
		if (state.old[i].sa_handler != SIG_IGN)
			handle(signals[i].number, signals[i].handler, signals[i].flags);
	}
}

void
screen_open(void)
{
	static bool at_exit;
	sigset_t before;

	if (state.is_open || tcgetattr(STDIN_FILENO, &state.before) != 0)
		return;
	block(&before);
	state.raw = state.before;
	state.raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	state.raw.c_cc[VMIN] = 1;
	state.raw.c_cc[VTIME] = 0;
	if (!at_exit)
		atexit(screen_close);
	at_exit = true;
	fflush(stdout);
	keep_error();
	set_handlers();
	state.is_open = true;
	enter();
	// SIGWINCH and SIGCONT only request a new drawing. Both signals are blocked except while
	// screen_key() waits. So no signal comes unnoticed between a drawing and the wait.
	state.waiting = before;
	sigaddset(&before, SIGWINCH);
	sigaddset(&before, SIGCONT);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void
screen_close(void)
{
	sigset_t before;

	if (!state.is_open)
		return;
	block(&before);
	state.is_open = false;
	leave();
	give_error_back();
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i].number, &state.old[i], NULL);
	sigprocmask(SIG_SETMASK, &state.waiting, NULL);
}

void
screen_size(unsigned *columns, unsigned *rows)
{
	struct winsize size = {0};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*columns = size.ws_col ? size.ws_col : 80;
	*rows = size.ws_row ? size.ws_row : 24;
}

// Each row is erased before it is written. If a row that fills all columns were erased after
// writing, its last character would be lost. The cursor is still on it.
void
screen_show(const char *lines, size_t length)
{
	static const char home[] = "\033[H";
	static const char wipe[] = "\033[K";
	static const char wipe_below[] = "\033[J";
	const char *end = lines + length;
	static struct bytes out;
	unsigned columns;
	unsigned rows;

	if (!state.is_entered)
		return;
	screen_size(&columns, &rows);
	out.count = 0;
	bytes_add(&out, home, sizeof(home) - 1);
	for (unsigned row = 0; row < rows && lines < end; row++) {
		const char *newline = memchr(lines, '\n', (size_t)(end - lines));
		if (row > 0)
			bytes_add(&out, "\r\n", 2);
		bytes_add(&out, wipe, sizeof(wipe) - 1);
		bytes_add(&out, lines, (size_t)(newline - lines));
		lines = newline + 1;
		if (lines == end && row + 1 < rows) {
			bytes_add(&out, "\r\n", 2);
			bytes_add(&out, wipe_below, sizeof(wipe_below) - 1);
		}
	}
	output_write(STDOUT_FILENO, out.at, out.count);
}

const char *
screen_said(void)
{
	static char text[SAID_MAX + 1];
	off_t size = state.said < 0 ? 0 : lseek(state.said, 0, SEEK_END);
	off_t from = size > SAID_MAX ? size - SAID_MAX : 0;
	ssize_t length = size > 0 ? pread(state.said, text, SAID_MAX, from) : 0;

	text[length > 0 ? length : 0] = '\0';
	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	const char *newline = strrchr(text, '\n');
	return newline ? newline + 1 : text;
}

// Waits for bytes and adds them to state.keys. Returns KEY_OTHER if bytes came.
static int
read_keys(int timeout_ms)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	struct timespec time = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};

	int count = ppoll(&ready, 1, &time, &state.waiting);
	if (state.redraw)
		return KEY_REDRAW;
	if (count <= 0)
		return KEY_NONE;
	// If the buffer is full and has no whole key, its bytes are dropped.
	size_t used = state.keys.count < sizeof(state.keys.bytes) ? state.keys.count : 0;
	ssize_t length = read(STDIN_FILENO, state.keys.bytes + used, sizeof(state.keys.bytes) - used);
	if (length < 0 && (errno == EINTR || errno == EAGAIN))
		return KEY_NONE;
	if (length <= 0)
		return KEY_CLOSED;
	state.keys.count = used + (size_t)length;
	return KEY_OTHER;
}

int
screen_key(int timeout_ms)
{
	int key = keys_take(&state.keys, false);
	if (key != KEY_NONE)
		return key;
	int event = read_keys(state.keys.count > 0 ? KEY_GAP_MS : timeout_ms);
	if (event == KEY_REDRAW)
		state.redraw = false;
	if (event == KEY_REDRAW || event == KEY_CLOSED)
		return event;
	// If the rest of a key does not come in time, the bytes so far are taken as one key. So a lone
	// ESC is Escape.
	return keys_take(&state.keys, event == KEY_NONE);
}
