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
	// close_range(2), Linux 5.9: one number on all machines, newer than many C libraries.
	CALL_CLOSE_RANGE = 436,
};

// The signals as they were when we were started.
static struct {
	bool known;
	sigset_t mask;
	struct sigaction on_child;
} inherited;

static void
take_signals(void)
{
	// An earlier child has done this.
	if (inherited.known)
		return;
	inherited.known = true;
	// If SIGCHLD were ignored, the kernel would discard the child's status.
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &inherited.mask);
	sigaction(SIGCHLD, &standard, &inherited.on_child);
}

static void
give_signals_back(void)
{
	sigaction(SIGCHLD, &inherited.on_child, NULL);
	sigprocmask(SIG_SETMASK, &inherited.mask, NULL);
}

// Runs the program in the child. If that fails, writes errno to the pipe.
static _Noreturn void
become(char **argv, int report)
{
	give_signals_back();
	execvp(argv[0], argv);
	int error = errno;
	while (write(report, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	_exit(EXIT_FAILURE);
}

// Returns the errno of a failed start. Returns 0 once the program runs, since exec closes the
// pipe.
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

// Closes files that we hold open besides the child, such as a pipe or a listening socket.
// Otherwise they would look open to the other end when the child has closed them. Standard error
// stays, for the end.
static void
let_go_of_files(void)
{
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	syscall(CALL_CLOSE_RANGE, STDERR_FILENO + 1, ~0U, 0);
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
	let_go_of_files();
	return child;
}

// Returns true if the terminal sent the signal. It sends it to the whole foreground group, so the
// child has it already.
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

static bool
is_from_process(const siginfo_t *signal, pid_t process)
{
	return signal->si_code <= 0 && signal->si_pid == process;
}

static void
pass_on(pid_t child, const siginfo_t *signal)
{
	// A signal from the child went to its group, itself included, or to its parent. Sent back, it
	// would for example stop an editor again as soon as that goes on.
	if (is_from_terminal(signal) || is_from_process(signal, child))
		return;
	if (signal->si_code == SI_QUEUE)
		sigqueue(child, signal->si_signo, signal->si_value);
	else
		kill(child, signal->si_signo);
}

// Raises a signal and lets it act on us.
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

// Follows the child's stop. If job control stopped it, the shell waits for us to stop as well.
// SIGSTOP is sent by hand to this child, and the sender knows whom to send SIGCONT.
static void
stop_with_child(int number)
{
	if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		take(number);
}

// Returns true if the child has ended. Reaps orphans too, since we may be a container's first
// process.
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
		stop_with_child(WSTOPSIG(*status));
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
		// EINTR means that we were stopped and continued.
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
	// The child has dumped its core, and ours would overwrite it. A core limit of 0 does not
	// suffice: it has no effect if cores go to a program.
	prctl(PR_SET_DUMPABLE, 0);
	sigaction(WTERMSIG(status), &standard, NULL);
	take(WTERMSIG(status));
	// A container's first process does not die of signals that it sends itself.
	return 128 + WTERMSIG(status);
}
