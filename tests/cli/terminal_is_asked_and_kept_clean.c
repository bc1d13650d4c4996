// Width, height and colour are the terminal's, as far as the environment and --color leave it
// that; without one, lines are as long as they are, and plain. Progress shows after a second,
// on a terminal alone, on one line, and is wiped for a message and at the end.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/message.h"
#include "base/term.h"

enum { COLUMNS = 40, ROWS = 11, TEXT_BYTES = 65536 };

static int failures;

// What the function writes to its standard output and error, which are a terminal, or a pipe.
static void
capture(void (*function)(void), bool terminal, char *text)
{
	int ends[2];

	if (terminal) {
		struct winsize size = {.ws_col = COLUMNS, .ws_row = ROWS};
		ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
		if (ends[0] < 0 || grantpt(ends[0]) != 0 || unlockpt(ends[0]) != 0) {
			puts("skipped: needs /dev/pts");
			exit(77);
		}
		ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
		ioctl(ends[1], TIOCSWINSZ, &size);
	} else if (pipe(ends) != 0) {
		exit(1);
	}
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		function();
		exit(0);
	}
	close(ends[1]);
	size_t length = 0;
	ssize_t got;
	while ((got = read(ends[0], text + length, TEXT_BYTES - 1 - length)) > 0)
		length += (size_t)got;
	text[length] = '\0';
	close(ends[0]);
	waitpid(child, NULL, 0);
}

static void
say_facts(void)
{
	printf("%ux%u color=%d[%s][%s]", term_width(), term_height(), term_color(),
		*term_style(STYLE_RED) ? "red" : "", *term_style(STYLE_PLAIN) ? "plain" : "");
}

// The environment is "NAME=VALUE NAME=VALUE"; option: of --color, NULL for none.
static void
check(bool terminal, const char *environment, const char *option, const char *wanted)
{
	char text[TEXT_BYTES];
	char words[256];
	char *argv[] = {"report", (char *)option, NULL};
	const struct option *const tables[] = {term_options, NULL};
	static const char *const names[] = {"COLUMNS", "LINES", "NO_COLOR", "TERM"};

	for (int i = 0; i < 4; i++)
		unsetenv(names[i]);
	strcpy(words, environment);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		char *sign = strchr(word, '=');
		*sign = '\0';
		setenv(word, sign + 1, 1);
	}
	options_parse(option ? 2 : 1, argv, tables);
	capture(say_facts, terminal, text);
	if (strcmp(text, wanted) == 0)
		return;
	printf("%d %s %s: %s, not %s\n", terminal, environment, option ? option : "", text, wanted);
	failures++;
}

static void
facts(void)
{
	check(true, "TERM=xterm", NULL, "40x11 color=1[red][plain]");
	check(true, "TERM=xterm COLUMNS=99 LINES=50", NULL, "40x11 color=1[red][plain]");
	check(true, "TERM=xterm NO_COLOR=1", NULL, "40x11 color=0[][]");
	check(true, "TERM=xterm NO_COLOR=", NULL, "40x11 color=1[red][plain]");
	check(true, "TERM=dumb", NULL, "40x11 color=0[][]");
	check(true, "", NULL, "40x11 color=0[][]");
	check(false, "TERM=xterm", NULL, "0x24 color=0[][]");
	check(false, "TERM=xterm COLUMNS=132 LINES=50", NULL, "132x50 color=0[][]");
	check(false, "COLUMNS=wide LINES=-3", NULL, "0x24 color=0[][]");
	check(false, "COLUMNS=99999999999999999999", NULL, "0x24 color=0[][]");
	check(false, "NO_COLOR=1 TERM=dumb", "--color=always", "0x24 color=1[red][plain]");
	check(true, "TERM=xterm", "--color=never", "40x11 color=0[][]");
	check(true, "TERM=xterm", "--color=auto", "40x11 color=1[red][plain]");
}

static void
pass_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static void
say_quick(void)
{
	for (int i = 0; i < 1000; i++)
		term_progress("a.log", (uint64_t)i, 1000);
	pass_ms(200);
	term_progress("a.log", 1000, 1000);
	term_progress(NULL, 0, 0);
	// Each begins anew.
	term_progress("b.log", 0, 0);
	pass_ms(200);
	term_progress("b.log", 1, 0);
	term_progress(NULL, 0, 0);
	term_progress(NULL, 0, 0);
}

static void
say_slow(void)
{
	term_progress("a\n\033[2J\xc3\xa9" "bcdefghijklmnopqrstuvwxyz.log", 0, 1000);
	pass_ms(1050);
	for (int i = 0; i < 100000; i++)
		term_progress("a\n\033[2J\xc3\xa9" "bcdefghijklmnopqrstuvwxyz.log", 512, 1024);
	warn("a.log:3: damaged");
	pass_ms(150);
	term_progress("b.log", 2048, 0);
	term_progress(NULL, 0, 0);
}

static void
expect(void (*function)(void), bool terminal, const char *wanted)
{
	char text[TEXT_BYTES];

	capture(function, terminal, text);
	if (strcmp(text, wanted) == 0)
		return;
	printf("'%s', not '%s'\n", text, wanted);
	failures++;
}

int
main(void)
{
	facts();
	expect(say_quick, true, "");
	expect(say_quick, false, "");
	expect(say_slow, false, "pmem: a.log:3: damaged\n");
	// A column is left: a terminal may wrap when the last is written.
	expect(say_slow, true,
		"\r\033[K50.0% of 1.00 KiB: a??[2J\xc3\xa9" "bcdefghijklmn"
		"\r\033[Kpmem: a.log:3: damaged\r\n"
		"\r\033[K2.00 KiB of b.log" "\r\033[K");
	return failures > 0;
}
