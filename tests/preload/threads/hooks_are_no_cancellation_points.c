// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// A thread that was asked to end (deferred cancellation) and only allocates goes on, though
// snapshots are written, until it comes to a cancellation point of its own.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"

enum { ROUNDS = 200 };
static volatile int rounds;
static volatile bool asked, went_past;

FRAME void allocate(void)
{
	void *block = realloc(calloc(3, 30), 1000);
	use(block);
	free(block);
}

static void *
allocates(void *unused)
{
	while (!asked)
		continue;
	for (rounds = 0; rounds < ROUNDS; rounds++)
		allocate();
	pthread_testcancel();
	went_past = true;
	return unused;
}

void
host(void)
{
	pthread_t thread;
	void *result;

	for (int i = 0; i < 10; i++) {
		asked = false;
		expect(pthread_create(&thread, NULL, allocates, NULL) == 0);
		pthread_cancel(thread);
		asked = true;
		pthread_join(thread, &result);
		expect(result == PTHREAD_CANCELED && rounds == ROUNDS && !went_past);
	}
}

void
check(const struct logfile *log)
{
	const struct log_source *source = log_by_id(log_last(log), "rest");
	// Nothing is held: all is in the rest.
	expect(log->snapshot_count > 10 * ROUNDS && source->counts.allocs >= 10 * ROUNDS * 2);
	printf("figure: %d blocks by threads asked to end\n", log->snapshot_count);
}
