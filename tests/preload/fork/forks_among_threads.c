// long
// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=0
// Forks while other threads allocate and blocks are being written: every child allocates,
// writes its own log, forks in turn, and ends well.

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { WORKERS = 4, FORKS = 60 };
static int done;

FRAME void childs_own(void) { use(malloc(4321)); }

static void *
churn(void *unused)
{
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
		free(malloc(100));
	return unused;
}

static void
child(int depth)
{
	int status = 0;
	childs_own();
	for (int i = 0; i < 50; i++)
		free(malloc(10));
	if (depth > 0) {
		pid_t pid = fork();
		if (pid == 0)
			child(depth - 1);
		waitpid(pid, &status, 0);
	}
	exit(status != 0);
}

void
host(void)
{
	pthread_t threads[WORKERS];
	for (int i = 0; i < WORKERS; i++)
		expect(pthread_create(&threads[i], NULL, churn, NULL) == 0);
	for (int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t pid = fork();
		if (pid == 0)
			child(1);
		expect(waitpid(pid, &status, 0) == pid && status == 0);
		struct logfile log;
		read_log_of(&log, pid);
		expect_equal(log.runs[0].pid, pid);
		expect_equal(log.runs[0].forked_from, getpid());
		expect_equal(log.snapshots[0].number, 0);
		// From the fork on: not what the parent did since its last snapshot.
		expect(log.snapshots[0].churn < 10000);
		expect_equal(log_from(log_last(&log), "childs_own")->counts.live, 4321);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *log)
{
	expect_equal(count_files("pmem."), 1 + 2 * FORKS);
	expect(log->snapshot_count > 10);
}
