// long
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0 -DPMEM_THREADS=3
// Threads beyond the slots have no line of their own: what they did is in that of the rest, and
// of no thread's.

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "threads.h"

enum { THREADS = 10, BLOCKS = 2000 };

FRAME void keep_one(void) { use(malloc(10)); }

static void *
body(void *unused)
{
	expect(prctl(PR_SET_NAME, "many") == 0);
	for (long i = 0; i < BLOCKS; i++)
		keep_one();
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return unused;
}

void
host(void)
{
	// The first thread takes a slot before the others: pthread_create() allocates in glibc only.
	use(malloc(1));
	start_threads(THREADS, body);
	pthread_barrier_wait(&turn);
	exit(0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_counts *rest = &log_thread_by_id(last, "rest")->counts;
	int shown = 0;

	for (int i = 0; i < last->thread_count; i++) {
		if (strcmp(last->threads[i].name, "many") != 0)
			continue;
		expect_equal(last->threads[i].counts.allocs, BLOCKS);
		shown++;
	}
	// One of the two slots is the first thread's.
	expect_equal(shown, 1);
	expect_equal(rest->allocs, (THREADS - 1) * BLOCKS);
	expect_equal(rest->alloc, (THREADS - 1) * BLOCKS * 10);
	expect_equal(log_from(last, "keep_one")->by[0], '\0');
	expect_equal(log_loss(last, "slots_shared"), THREADS - 1);
}
