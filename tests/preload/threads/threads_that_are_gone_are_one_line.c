// long
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=3
// A thread that counts in place of one that is gone has its own numbers, exactly, from its first
// block on, however many had the slot before it; what those had is told in one line.

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "threads.h"

enum { BRIEF = 300, BLOCKS = 100 };

FRAME void keep_one(void) { use(malloc(50)); }

struct role {
	const char *name;
	int kept;
	bool stays;
};

static void *
body(void *what)
{
	const struct role *role = what;

	expect(prctl(PR_SET_NAME, role->name) == 0);
	for (int i = 0; i < BLOCKS; i++)
		churn_one(10);
	for (int i = 0; i < role->kept; i++)
		keep_one();
	if (role->stays)
		pthread_barrier_wait(&turn);
	if (role->stays)
		pthread_barrier_wait(&turn);
	return what;
}

void
host(void)
{
	static struct role brief = {"brief", 1, false};
	static struct role late = {"late", 10000, true};
	struct mortal mortal;

	pthread_barrier_init(&turn, NULL, 2);
	for (int i = 0; i < BRIEF; i++) {
		mortal_start(&mortal, body, &brief);
		mortal_bury(&mortal);
	}
	mortal_start(&mortal, body, &late);
	pthread_barrier_wait(&turn);
	exit(0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_counts *late = &log_thread(last, "late")->counts;
	const struct log_counts *ended = &log_thread_by_id(last, "ended")->counts;
	uint64_t most = 0;

	expect_equal(late->alloc, BLOCKS * 10 + 10000 * 50);
	expect_equal(late->allocs, BLOCKS + 10000);
	expect_equal(late->free, BLOCKS * 10);
	expect_equal(ended->alloc, BRIEF * (BLOCKS * 10 + 50));
	expect_equal(ended->allocs, BRIEF * (BLOCKS + 1));
	expect_equal(ended->frees, BRIEF * BLOCKS);
	expect_equal(log_loss(last, "slots_shared"), 0);
	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_thread *all = log_thread_by_id(&log->snapshots[i], "ended");
		expect(!all || all->counts.alloc >= most);
		most = all ? all->counts.alloc : most;
	}
	// 500,000 of 515,000 bytes, of which its slot's former threads had 315,000 of all sources at
	// the most: it may be told of with less, never with more.
	const char *by = log_from(last, "keep_one")->by;
	printf("by:%s\n", by);
	unsigned share = 0;
	const char *at = strstr(by, "/late/");
	expect(!*by || (at && sscanf(at, "/late/%u%%", &share) == 1));
	expect(share <= 97);
}
