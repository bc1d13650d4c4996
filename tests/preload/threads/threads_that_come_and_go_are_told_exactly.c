// long
// pmem: -DPMEM_CHURN_THRESH=2000 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=16
// While slots go from thread to thread, in several threads at a time and amid snapshots, no line
// ever takes back what it told: what those that have ended had only grows, and is in the end all
// that they did, to the byte.

#include <stdlib.h>

#include "threads.h"

enum { STARTERS = 4, BRIEF = 400, BLOCKS = 7 };

static void *
brief(void *unused)
{
	for (int i = 0; i < BLOCKS; i++)
		churn_one(100);
	return unused;
}

static void *
starter(void *unused)
{
	struct mortal mortal;

	for (int i = 0; i < BRIEF; i++) {
		mortal_start(&mortal, brief, NULL);
		mortal_bury(&mortal);
	}
	return unused;
}

void
host(void)
{
	struct mortal starters[STARTERS];

	for (int i = 0; i < STARTERS; i++)
		mortal_start(&starters[i], starter, NULL);
	for (int i = 0; i < STARTERS; i++)
		mortal_bury(&starters[i]);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_counts *ended = &log_thread_by_id(last, "ended")->counts;
	const uint64_t blocks = STARTERS * BRIEF * BLOCKS;

	expect_equal(log_loss(last, "slots_shared"), 0);
	// And what starting a thread takes now and then.
	expect(ended->allocs >= blocks && ended->allocs <= blocks + STARTERS * BRIEF);
	expect(ended->alloc >= blocks * 100 && ended->frees >= blocks);
	expect(log->snapshot_count > 100);
}
