// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_SHOW_THREADS=4
// Of forty threads the four that did most have lines, those that did more before those that did
// less; the rest have one together, exactly.

#include <stdlib.h>
#include <sys/prctl.h>

#include "threads.h"

enum { THREADS = 40, SHOWN = 4 };

static void *
body(void *number)
{
	char name[16];

	snprintf(name, sizeof(name), "t%ld", (long)number);
	expect(prctl(PR_SET_NAME, name) == 0);
	for (long i = 0; i < 100 * (1 + (long)number); i++)
		churn_one(100);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return NULL;
}

void
host(void)
{
	start_threads(THREADS, body);
	pthread_barrier_wait(&turn);
	exit(0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t shown = 0;

	expect_equal(last->thread_count, SHOWN + 1);
	for (int i = 0; i < SHOWN; i++)
		shown += last->threads[i].counts.alloc;
	expect_equal(log_thread_by_id(last, "rest")->counts.alloc, last->total.alloc - shown);
	// Of those that have not moved since the snapshot before, the largest.
	expect(log_thread(last, "t39") || last->threads[0].counts.alloc_more > 0);
	for (int i = 0; i + 1 < log->snapshot_count; i++)
		expect(log->snapshots[i].thread_count <= SHOWN + 1);
}
