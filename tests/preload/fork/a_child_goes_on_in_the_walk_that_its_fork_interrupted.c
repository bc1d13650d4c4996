// of a kernel
// A signal handler forks in the middle of a new stack's walk, and returns in the child: the child
// goes on in the hook, though the slot and the memo that the hook began with are its parent's.

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "host.h"

enum { CHILDREN = 300, DEPTH = 14, AFTER = 1000 };

static volatile int children;
static volatile bool is_child;

static void
fork_here(int number)
{
	(void)number;
	if (is_child || children == CHILDREN)
		return;
	pid_t child = fork();
	is_child = child == 0;
	children += child > 0;
}

static void *descend(unsigned path, int depth);

FRAME void *
left(unsigned path, int depth)
{
	void *block = depth > 0 ? descend(path, depth - 1) : malloc(50);
	use(block);
	return block;
}

FRAME void *
right(unsigned path, int depth)
{
	void *block = depth > 0 ? descend(path, depth - 1) : malloc(60);
	use(block);
	return block;
}

// One path in 16,384: most are new, so most of the time is a new stack's.
FRAME void *
descend(unsigned path, int depth)
{
	return path & 1 ? left(path >> 1, depth) : right(path >> 1, depth);
}

void
host(void)
{
	struct sigaction action = {.sa_handler = fork_here, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 700}, {0, 700}}, none = {{0, 0}, {0, 0}};
	int after = 0, status;

	expect(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &timer, NULL) == 0);
	for (unsigned i = 0; children < CHILDREN && after < AFTER; i++) {
		free(descend(i * 2654435761U, DEPTH));
		after += is_child;
	}
	if (is_child)
		_exit(0);
	setitimer(ITIMER_REAL, &none, NULL);
	for (int i = 0; i < CHILDREN; i++) {
		expect(wait(&status) > 0);
		expect_equal((uint64_t)status, 0);
	}
}

void
check(const struct logfile *log)
{
	expect(log_last(log)->total.allocs > CHILDREN);
}
