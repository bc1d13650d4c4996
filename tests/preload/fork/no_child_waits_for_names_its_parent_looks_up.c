// long
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_SYMBOLS_PER_SNAPSHOT=1
// A thread forks while another looks up names for a snapshot, under a lock of the loader's that
// the C library does not release in the child: no child waits for it, and it has names.

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// As many snapshots of a child have the names of its stack, of which each looks up one.
enum { FORKS = 150, SNAPSHOTS = 12 };
#define FOUR(call) call call call call

// Each call is an address of its own, whose name is looked up in a snapshot of its own.
FRAME void *
many_calls(void *unused)
{
	FOUR(FOUR(FOUR(FOUR(FOUR(use(malloc(1));)))))
	return unused;
}

FRAME void in_child(void) { use(malloc(99)); }

void
host(void)
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, many_calls, NULL) == 0);
	for (int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t child = fork();
		if (child == 0) {
			alarm(100);
			for (int n = 0; n < SNAPSHOTS; n++)
				in_child();
			_exit(0);
		}
		expect(waitpid(child, &status, 0) == child);
		expect_equal((uint64_t)status, 0);
		char path[64];
		struct logfile log;
		snprintf(path, sizeof(path), "pmem.%d.log", child);
		read_log(&log, path);
		expect_equal(log_from(log_last(&log), "in_child")->counts.live, 99 * SNAPSHOTS);
		unlink(path);
	}
	pthread_join(thread, NULL);
}

void
check(const struct logfile *log)
{
	expect(log_last(log)->total.allocs >= 1024);
}
