// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// The program exits while other threads go on allocating and writing snapshots: the last snapshot
// is written all the same, and after all destructors.

#include <pthread.h>
#include <stdlib.h>

#include "host.h"

static void *kept;

FRAME void freed_by_a_destructor(void) { kept = malloc(1000); }
static void __attribute__((destructor)) release(void) { free(kept); }

static void *
churn(void *unused)
{
	for (;;)
		free(malloc(100));
	return unused;
}

void
host(void)
{
	pthread_t threads[3];
	freed_by_a_destructor();
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, churn, NULL);
	for (int i = 0; i < 1000; i++)
		free(malloc(10));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(last->reason[0] == 'e');
	expect(log_from(last, "freed_by_a_destructor") == NULL);
}
