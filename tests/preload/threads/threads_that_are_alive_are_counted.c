// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// Each snapshot tells how many threads are alive, whether they allocate or not; with one, nothing.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

enum { THREADS = 30, GONE = 10 };

static pthread_barrier_t few_end, all_end;
static pthread_t threads[THREADS];

static void *
idle(void *number)
{
	pthread_barrier_wait((intptr_t)number < GONE ? &few_end : &all_end);
	return NULL;
}

// One snapshot, when the kernel counts so many threads: one that was joined may still be among them.
static void
churn(unsigned alive)
{
	unsigned counted = 0;

	while (counted != alive) {
		char line[256];
		FILE *file = fopen("/proc/self/status", "r");
		while (fgets(line, sizeof(line), file))
			sscanf(line, "Threads: %u", &counted);
		fclose(file);
	}
	use(malloc(5000));
}

void
host(void)
{
	churn(1);
	pthread_barrier_init(&few_end, NULL, GONE + 1);
	pthread_barrier_init(&all_end, NULL, THREADS - GONE + 1);
	for (intptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, idle, (void *)i) == 0);
	churn(THREADS + 1);
	pthread_barrier_wait(&few_end);
	for (int i = 0; i < GONE; i++)
		pthread_join(threads[i], NULL);
	churn(THREADS + 1 - GONE);
	pthread_barrier_wait(&all_end);
	for (int i = GONE; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	churn(1);
}

void
check(const struct logfile *log)
{
	uint64_t after = 0, with_all = 0, most = 0;
	uint64_t last = log->snapshots[log->snapshot_count - 1].alive;

	expect(log->snapshots[0].alive == 0);
	for (size_t i = 0; i < log->snapshot_count; i++) {
		uint64_t alive = log->snapshots[i].alive;
		expect(alive != 1);
		most = alive > most ? alive : most;
		with_all += alive == THREADS + 1;
		after += alive == THREADS + 1 - GONE && with_all > 0;
	}
	expect(most == THREADS + 1 && after > 0 && last == 0);
}
