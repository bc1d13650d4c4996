// long
// pmem: -DPMEM_THREADS=2 -DPMEM_FRAMES=2
// What a child of vfork() allocates first of all does not make its parent's thread and a
// later one count in one slot: every call of both is counted.

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { CALLS = 1000000 };

FRAME void in_child(void) { use(malloc(1)); }

// With two frames to a stack it is one source for both threads.
FRAME void *
pair(void *unused)
{
	for (int i = 0; i < CALLS; i++)
		free(malloc(10));
	use(malloc(7));
	return unused;
}

void
host(void)
{
	int status = -1;
	pthread_t thread;
	pid_t child = vfork();
	if (child == 0) {
		in_child();
		_exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
	expect(pthread_create(&thread, NULL, pair, NULL) == 0);
	pair(NULL);
	pthread_join(thread, NULL);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(log_from(last, "in_child")->counts.live, 1);
	expect(last->total.allocs >= 2 * (CALLS + 1) + 1);
	expect(last->total.allocs < 2 * (CALLS + 1) + 10);
	expect(last->total.allocs - last->total.frees < 10);
}
