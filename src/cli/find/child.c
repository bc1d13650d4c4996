// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "find/find.h"

enum {
	// The number of close_range(2), of Linux 5.9, which is the same on all machines. Many C
	// libraries do not have the call yet.
	CALL_CLOSE_RANGE = 436,
};

// The signal mask and dispositions that we were started with.
static struct {
	bool known;
	sigset_t mask;
	struct sigaction on_child;
} inherited;

static void
take_signals(void)
{
	// If this is not the first call, the first call has blocked the signals, and has saved mask
	// and action.
	if (inherited.known)
		return;
	inherited.known = true;
	// If we were started with SIGCHLD ignored, the kernel would discard the child's status.
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &inherited.mask);
	sigaction(SIGCHLD, &standard, &inherited.on_child);
}

// Called in the child: replaces the child by the program. If that fails, writes errno to the pipe
// `report`.
static _Noreturn void
become(char **argv, int report)
{
	sigaction(SIGCHLD, &inherited.on_child, NULL);
	sigprocmask(SIG_SETMASK, &inherited.mask, NULL);
	execvp(argv[0], argv);
	int error = errno;
	while (write(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(EXIT_FAILURE);
}

// Reads from the pipe whether become() failed, and returns its errno. Returns 0 if the program
// runs: exec closes the pipe, so nothing can be read.
static int
read_report(int report)
{
	int error;
	ssize_t length;

	do
		length = read(report, &error, sizeof(error));
	while (length < 0 && errno == EINTR);
	return length == sizeof(error) ? error : 0;
}

pid_t
child_start(char **argv)
{
	int report[2];

	if (pipe2(report, O_CLOEXEC) != 0)
		die(EXIT_SELF, "pipe:");
	take_signals();
	pid_t child = fork();
	if (child < 0)
		die(EXIT_SELF, "fork:");
	if (child == 0)
		become(argv, report[1]);
	close(report[1]);
	int error = read_report(report[0]);
	close(report[0]);
	if (error) {
		waitpid(child, NULL, 0);
		errno = error;
		return -1;
	}
	// Closes our copies of files that the child has. A pipe or socket that we keep open hides from its
	// other end that the child closed it. Standard error stays open, because we write to it when the child
	// has ended.
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	syscall(CALL_CLOSE_RANGE, STDERR_FILENO + 1, ~0U, 0);
	return child;
}

// Returns true if the terminal sent the signal. A terminal sends it to the whole foreground group,
// so the child has it already.
static bool
is_from_terminal(const siginfo_t *signal)
{
	switch (signal->si_signo) {
	case SIGHUP:
	case SIGINT:
	case SIGQUIT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGWINCH:
		return signal->si_code > 0;
	default:
		return false;
	}
}

static void
pass_on(pid_t child, const siginfo_t *signal)
{
	// The child may send a signal to us as its parent, or to its whole group. Sending the signal
	// back would do harm. For example, an editor that suspends itself would be stopped again when
	// it is continued.
	if (is_from_terminal(signal) || (signal->si_code <= 0 && signal->si_pid == child))
		return;
	if (signal->si_code == SI_QUEUE)
		sigqueue(child, signal->si_signo, signal->si_value);
	else
		kill(child, signal->si_signo);
}

// Raises a signal in this process and unblocks it for a moment, so that it takes effect.
static void
take(int number)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigprocmask(SIG_BLOCK, &one, NULL);
}

// Returns true if the child has ended. Reaps other children, too: if we are a container's first
// process, orphans become our children.
static bool
has_ended(pid_t child, int *status)
{
	for (;;) {
		pid_t changed = waitpid(-1, status, WNOHANG | WUNTRACED);
		if (changed <= 0)
			return false;
		if (changed != child)
			continue;
		if (!WIFSTOPPED(*status))
			return true;
		// If the shell's job control stopped the child, the shell waits for us to stop, too, so we
		// stop. SIGSTOP is different: somebody sent it to the child alone, and will send SIGCONT to the
		// child alone.
		int number = WSTOPSIG(*status);
		if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
			take(number);
	}
}

int
child_wait(pid_t child)
{
	sigset_t all;
	siginfo_t signal;
	int status = 0;

	sigfillset(&all);
	for (;;) {
		// EINTR means that we were stopped and then continued.
		if (sigwaitinfo(&all, &signal) < 0)
			continue;
		if (signal.si_signo != SIGCHLD)
			pass_on(child, &signal);
		else if (has_ended(child, &status))
			return status;
	}
}

int
child_repeat_end(int status)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	// If the child dumped its core, ours would overwrite that file. Setting RLIMIT_CORE to 0 would
	// not suffice: the limit has no effect if cores are piped to a program.
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(WTERMSIG(status), &standard, NULL);
	take(WTERMSIG(status));
	// A container's first process is not killed by a signal that it sends itself.
	return 128 + WTERMSIG(status);
}
