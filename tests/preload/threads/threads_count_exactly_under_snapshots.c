// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// Eight threads allocate, free each other's blocks, start and end by the thousand, while a
// snapshot is written as often as can be: no deadlock, and exact totals at the end.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { WORKERS = 8, GENERATIONS = 250, ROUNDS = 10, SHELF = 512, SNAPSHOTS = 1000, STORMS = 50 };

// Blocks handed from thread to thread.
static void *shelf[SHELF];

FRAME void *allocate(unsigned seed) { void *p = malloc(1 + seed % 1000); use(p); return p; }

FRAME void *short_lived(void *seed)
{
	unsigned number = (unsigned)(uintptr_t)seed;
	for (int i = 0; i < ROUNDS; i++) {
		number = number * 1103515245 + 12345;
		void *old = __atomic_exchange_n(&shelf[number / 65536 % SHELF], allocate(number), __ATOMIC_ACQ_REL);
		if (i % 3 == 0)
			old = realloc(old, 40);
		free(old);
	}
	return NULL;
}

static void *
worker(void *seed)
{
	for (uintptr_t i = 0; i < GENERATIONS; i++) {
		pthread_t thread;
		expect(pthread_create(&thread, NULL, short_lived, (void *)((uintptr_t)seed * 1000 + i)) == 0);
		pthread_join(thread, NULL);
	}
	return NULL;
}

// How many snapshots the log has by now.
static int
snapshots(void)
{
	static char bytes[1 << 16];
	char name[64], before = '\n';
	int count = 0;
	ssize_t length;

	snprintf(name, sizeof(name), "pmem.%d.log", getpid());
	int fd = open(name, O_RDONLY);
	while (fd >= 0 && (length = read(fd, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < length; before = bytes[i++])
			count += bytes[i] == '[' && before == '\n';
	}
	close(fd);
	return count;
}

static void
storm(void)
{
	pthread_t threads[WORKERS];
	for (uintptr_t i = 0; i < WORKERS; i++)
		expect(pthread_create(&threads[i], NULL, worker, (void *)(i + 1)) == 0);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
}

// How many snapshots a storm leaves is the scheduler's to say: it takes as many storms as it takes.
void
host(void)
{
	for (int i = 0; i < STORMS && snapshots() <= SNAPSHOTS; i++)
		storm();
	for (int i = 0; i < SHELF; i++)
		free(shelf[i]);
	use(malloc(123));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	printf("figure: %d blocks, %lu allocations, differences: 0\n", log->snapshot_count,
		(unsigned long)last->total.allocs);
	expect(log->snapshot_count > SNAPSHOTS);
	uint64_t freed = 0;
	for (int i = 0; i < last->entry_count; i++)
		freed += last->entries[i].counts.frees;
	expect_equal(freed, last->total.frees);
	// Ours: the one of 123 bytes. The rest is the C library's, for threads.
	expect_equal(log_from(last, "host")->counts.live, 123);
	expect(log_from(last, "allocate") == NULL);
	expect(last->total.allocs >= WORKERS * GENERATIONS * ROUNDS);
	expect_equal(log_loss(last, "snapshots_dropped"), 0);
	expect_equal(log_loss(last, "nested"), 0);
}
