// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// Each thread that allocates has a line with its name and exactly what it allocated and freed, in
// the last snapshot also those that have stood still; sources say whose they mostly are. One
// that was renamed goes by its new name, one that has ended is among those that have, and what
// it freed of another's blocks is its own.

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "threads.h"

enum { BLOCKS = 5000 };

static void *handed[BLOCKS];

FRAME void keep_one(void) { use(malloc(100)); }

FRAME void
hand_one(int i)
{
	handed[i] = malloc(10);
	use(handed[i]);
}

struct role {
	const char *name;
	int churned, handed, kept;
};

static const struct role roles[] = {
	{"a b\\/%\n", BLOCKS, 0, 1999},
	{"slow", 0, BLOCKS, 1001},
};

static void *
body(void *number)
{
	const struct role *role = &roles[(intptr_t)number];

	expect(prctl(PR_SET_NAME, "before") == 0);
	for (int i = 0; i < role->churned; i++)
		churn_one(100);
	// Nobody else can have been in the midst of a snapshot: there is one by this name.
	pthread_barrier_wait(&turn);
	expect(prctl(PR_SET_NAME, role->name) == 0);
	for (int i = 0; i < role->churned; i++)
		churn_one(100);
	for (int i = 0; i < role->handed; i++)
		hand_one(i);
	for (int i = 0; i < role->kept; i++)
		keep_one();
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return number;
}

static void *
brief(void *unused)
{
	for (int i = 0; i < BLOCKS; i++)
		free(handed[i]);
	return unused;
}

void
host(void)
{
	struct mortal mortal;

	start_threads(2, body);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	mortal_start(&mortal, brief, NULL);
	mortal_bury(&mortal);
	// Both are there, and neither moves.
	for (int i = 0; i < 2000; i++)
		churn_one(1000);
	exit(0);
}

static void
expect_thread(const struct log_thread *thread, uint64_t alloc, uint64_t allocs, uint64_t free,
	uint64_t frees)
{
	expect(thread != NULL);
	expect_equal(thread->counts.alloc, alloc);
	expect_equal(thread->counts.allocs, allocs);
	expect_equal(thread->counts.free, free);
	expect_equal(thread->counts.frees, frees);
}

static void
expect_by(const struct log_source *source, const char *name_and_share)
{
	expect(source != NULL);
	printf("by:%s\n", source->by);
	const char *at = strchr(source->by, '/');
	expect(at && strcmp(at + 1, name_and_share) == 0);
}

void
check(const struct logfile *log)
{
	static const char quick[] = "a\\x20b\\x5c/%\\x0a";
	const struct log_snapshot *last = log_last(log);
	const struct log_snapshot *before = last - 1;
	bool was_before = false;

	expect_thread(log_thread(last, quick), BLOCKS * 200 + 199900, 2 * BLOCKS + 1999,
		BLOCKS * 200, 2 * BLOCKS);
	expect_thread(log_thread(last, "slow"), BLOCKS * 10 + 100100, BLOCKS + 1001, 0, 0);
	expect_thread(log_thread_by_id(last, "ended"), 0, 0, BLOCKS * 10, BLOCKS);
	expect(!log_thread_by_id(last, "rest") && !log_thread(last, "before"));
	expect(log_thread(before, "slow") == NULL && log_thread_by_id(before, "rest") != NULL);
	for (int i = 0; i < log->snapshot_count; i++)
		was_before |= log_thread(&log->snapshots[i], "before") != NULL;
	expect(was_before);
	// 199,900 of 300,000 bytes.
	char by[80];
	snprintf(by, sizeof(by), "%s/66%%", quick);
	expect_by(log_from(last, "keep_one"), by);
}
