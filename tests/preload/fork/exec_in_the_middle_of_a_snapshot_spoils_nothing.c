// long
// pmem: -DPMEM_CHURN_THRESH=5000 -DPMEM_LOG_MAX_BYTES=0 -DPMEM_LOG_HOURS=0
// exec() ends all other threads, wherever they are: one that is writing a snapshot may leave it
// cut off. The next program's run begins on a line of its own, and writes at once.

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { RUNS = 100 };

// Each depth is a source: large blocks, which are cut off more often.
FRAME void *
at_depth(int depth)
{
	void *block = depth == 0 ? malloc(100) : at_depth(depth - 1);
	use(block);
	return block;
}

static void *
churn(void *unused)
{
	void *held[20] = {0};
	for (int i = 0;; i = (i + 1) % 20) {
		free(held[i]);
		held[i] = at_depth(i);
	}
	return unused;
}

FRAME void leak(void) { use(malloc(77)); }

void
host(void)
{
	char next[16];
	int run = atoi(host_role());
	pthread_t thread;
	leak();
	if (run == 0 || run == RUNS)
		exit(0);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, churn, NULL);
	usleep((useconds_t)(run * 7919 % 5000));
	snprintf(next, sizeof(next), "%d", run + 1);
	setenv("ROLE", next, 1);
	execl("/proc/self/exe", "again", (char *)NULL);
	abort();
}

void
check(const struct logfile *plain)
{
	char path[64];
	struct logfile log;
	expect_equal(plain->run_count, 1);
	expect_equal(run_again("1", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	expect_equal((uint64_t)log_read(&log, path, stderr), 0);
	printf("figure: %d runs in one process, %d snapshots, %d cut off\n", log.run_count,
		log.snapshot_count, log.torn);
	expect_equal(count_files("pmem."), 2);
	expect(log.run_count > RUNS / 2 && log.run_count <= RUNS);
	for (int i = 0; i < log.run_count; i++)
		expect_equal(log.runs[i].pid, again_pid);
	expect_equal(log_from(log_last(&log), "leak")->counts.live, 77);
	expect_equal(log_last(&log)->reason[0], 'e');
}
