// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/message.h"
#include "base/memory.h"
#include "base/term.h"
#include "base/tool.h"
#include "symbols/tool_process.h"

enum {
	// Files that we open are moved to descriptors from this number on. Otherwise, if one of 0
	// to 2 is closed in our process, a new file would get that number. But the program needs 0
	// to 2 for its own input and output.
	FILES_FROM = 10,
	READ_STEP = 1 << 16,
	TICK_MS = 250,
	// A program that has closed its output is killed if it does not end within this time.
	END_MS = 2000,
};

unsigned tool_still_ms = BUDGET_TOOL_STILL_MS;
unsigned tool_seconds = BUDGET_TOOL_SECONDS;

static int
moved(int fd)
{
	if (fd < 0)
		return -1;
	int up = fcntl(fd, F_DUPFD_CLOEXEC, FILES_FROM);
	close(fd);
	return up;
}

static int
input_file(const struct tool_process *tool)
{
	int fd = moved(memfd_create("input", MFD_CLOEXEC));
	const char *at = tool->input;
	size_t left = tool->input_bytes;

	while (fd >= 0 && left > 0) {
		ssize_t length = write(fd, at, left);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0) {
			close(fd);
			return -1;
		}
		at += length;
		left -= (size_t)length;
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

// Starts the program in the directory tool->dir. For that our process changes its own directory,
// since posix_spawn() can set a child's directory only as of glibc 2.29. Returns 0 or an errno.
static int
spawn(const struct tool_process *tool, pid_t *child, int input, int output)
{
	int home = tool->dir ? moved(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) : -1;
	if (tool->dir && (home < 0 || chdir(tool->dir) != 0)) {
		int error = errno;
		if (home >= 0)
			close(home);
		return error;
	}
	int error = tool_spawn(child, tool->path, (char *const *)tool->arguments, input, output);
	// We must return to our own directory, since our relative paths begin there.
	if (home >= 0 && fchdir(home) != 0)
		die(EXIT_DATA, "back to the directory from %s:", tool->dir);
	if (home >= 0)
		close(home);
	return error;
}

// Starts the program. Returns its pid, or -1 after setting errno.
static pid_t
start(const struct tool_process *tool, int input, int output)
{
	pid_t child;
	int error = spawn(tool, &child, input, output);
	errno = error;
	return error ? -1 : child;
}

static bool
fail(struct tool_process *tool, const char *why)
{
	if (!tool->why[0])
		snprintf(tool->why, sizeof(tool->why), "%s", why);
	return false;
}

// Returns how many nanoseconds of processor time the program has used so far.
static int64_t
worked(pid_t child)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Waits until the program writes output, and meanwhile shows on the terminal that we wait. Returns
// false if the program writes nothing and uses no processor time for tool_still_ms.
static bool
wait_for_output(struct tool_process *tool, pid_t child, int output)
{
	struct pollfd wait = {.fd = output, .events = POLLIN};
	unsigned still = 0;
	int64_t before = worked(child);
	int ready = 0;

	while (ready == 0 && still < tool_still_ms) {
		unsigned step = tool_still_ms < TICK_MS ? tool_still_ms : TICK_MS;
		ready = poll(&wait, 1, (int)step);
		if (ready < 0 && errno == EINTR)
			ready = 0;
		int64_t now = worked(child);
		still = now > before ? 0 : still + step;
		before = now;
		if (ready == 0) {
			term_progress(tool->path, tool->output_bytes, 0);
			tool->told = true;
		}
	}
	return ready != 0;
}

// Reads the program's output to its end.
static bool
read_output(struct tool_process *tool, pid_t child, int output)
{
	size_t room = 0;

	for (;;) {
		tool->output = memory_room(tool->output, tool->output_bytes + READ_STEP + 1,
			&room, 1);
		tool->hung = !wait_for_output(tool, child, output);
		if (tool->hung)
			return fail(tool, "it has hung");
		ssize_t length = read(output, tool->output + tool->output_bytes, READ_STEP);
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return fail(tool, strerror(errno));
		if (length == 0)
			break;
		tool->output_bytes += (size_t)length;
		if (tool->output_bytes > tool->output_max)
			return fail(tool, "it writes without end");
	}
	tool->output[tool->output_bytes] = '\0';
	return true;
}

// Waits for the program's end. Kills the program after END_MS, or at once if `kill_it`. Returns
// true if the program exited with status 0.
static bool
collect(struct tool_process *tool, pid_t child, bool kill_it)
{
	struct timespec pause = {.tv_nsec = 100000};
	int status = 0;
	pid_t ended = 0;

	for (long waited = 0; !kill_it && waited < END_MS * 1000000L; waited += pause.tv_nsec) {
		ended = waitpid(child, &status, WNOHANG);
		if (ended != 0)
			break;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 10000000)
			pause.tv_nsec *= 2;
	}
	if (ended == 0) {
		kill(child, SIGKILL);
		do
			ended = waitpid(child, &status, 0);
		while (ended < 0 && errno == EINTR);
		return fail(tool, "it has hung");
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
		tool->hung = true;
		return fail(tool, "it took too much time");
	}
	if (WIFSIGNALED(status))
		snprintf(tool->why, sizeof(tool->why), "it was killed by signal %d",
			WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		snprintf(tool->why, sizeof(tool->why), "exit status %d", WEXITSTATUS(status));
	return !tool->why[0];
}

// Returns how many seconds of processor time the next program may use. Returns 0 if the programs
// run so far have used up BUDGET_TOOLS_SECONDS.
static unsigned
seconds_left(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	int64_t left = BUDGET_TOOLS_SECONDS - usage.ru_utime.tv_sec - usage.ru_stime.tv_sec;
	return left < tool_seconds ? left > 0 ? (unsigned)left : 0 : tool_seconds;
}

// Runs the program and reads its output. Meanwhile SIGCHLD has its default action. We may have
// inherited the action "ignore", with which the kernel keeps no exit status.
static bool
run_with(struct tool_process *tool, int input, int output[2])
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction inherited;
	unsigned seconds = seconds_left();

	if (seconds == 0) {
		tool->hung = true;
		return fail(tool, "no time is left for it");
	}
	sigaction(SIGCHLD, &standard, &inherited);
	pid_t child = start(tool, input, output[1]);
	if (child > 0)
		tool_limit(child, seconds);
	close(output[1]);
	output[1] = -1;
	bool good = child > 0 ? read_output(tool, child, output[0]) : fail(tool, strerror(errno));
	if (child > 0)
		good = collect(tool, child, !good) && good;
	// Wipes the line of progress only if this module has shown it. A caller may show a line of
	// its own.
	if (tool->told)
		term_progress(NULL, 0, 0);
	sigaction(SIGCHLD, &inherited, NULL);
	return good;
}

bool
tool_run(struct tool_process *tool)
{
	int output[2] = {-1, -1};

	tool->output = NULL;
	tool->output_bytes = 0;
	tool->told = false;
	tool->hung = false;
	tool->why[0] = '\0';
	int input = input_file(tool);
	bool good = input >= 0 && pipe2(output, O_CLOEXEC) == 0;
	output[0] = moved(output[0]);
	output[1] = moved(output[1]);
	good = good && output[0] >= 0 && output[1] >= 0;
	good = good ? run_with(tool, input, output) : fail(tool, strerror(errno));
	for (int i = 0; i < 2; i++) {
		if (output[i] >= 0)
			close(output[i]);
	}
	if (input >= 0)
		close(input);
	if (!good) {
		free(tool->output);
		tool->output = NULL;
		tool->output_bytes = 0;
	}
	return good;
}
