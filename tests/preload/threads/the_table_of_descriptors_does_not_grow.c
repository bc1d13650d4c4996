// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// Beside other threads no snapshot enlarges the kernel's table of the process's descriptors: the kernel
// would wait for all processors, and the thread that allocates with it.

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

static pthread_barrier_t end;

static void *
idle(void *unused)
{
	pthread_barrier_wait(&end);
	return unused;
}

static unsigned
table_size(void)
{
	char line[256];
	unsigned size = 0;
	FILE *file = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof(line), file))
		sscanf(line, "FDSize: %u", &size);
	fclose(file);
	return size;
}

void
host(void)
{
	pthread_t thread;

	pthread_barrier_init(&end, NULL, 2);
	expect(pthread_create(&thread, NULL, idle, NULL) == 0);
	unsigned before = table_size();
	for (int i = 0; i < 200; i++)
		free(malloc(5000));
	expect_equal(table_size(), before);
	pthread_barrier_wait(&end);
	pthread_join(thread, NULL);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count >= 200);
}
