// link: -DPMEM_SOURCES=16384
// Threads that come to all sources have no room for all of their counters: what the slots take
// is bounded, the rest is counted in the shared slot, and each source's sum is exact, at the end
// and, while blocks go from thread to thread, in the order that tally_sum() promises.

#include <pthread.h>
#include <stdlib.h>

#include "unit.h"
#include "threads/slot.h"
#include "sources/tally.h"

enum { THREADS = 12, ROUNDS = 400000, CELLS = 256, GROUPS_FIRST = SLOT_AREA_BYTES / SLOT_GROUP_BYTES };

// A block that some thread allocated and any may free: its source and size, or 0.
static uint64_t cells[CELLS];
static struct counter truth[PMEM_SOURCES]; // atomic
static uint32_t groups;                    // of all threads; atomic
static uint32_t turned_away;               // counters that a thread came to and has not; atomic
static uint32_t running = THREADS;         // atomic
static pthread_barrier_t all_counted;

static void
trade(struct slot *slot, unsigned *random, uint32_t source)
{
	uint64_t bytes = 1 + rand_r(random) % 1000;
	uint64_t *cell = &cells[rand_r(random) % CELLS];

	thread_count_alloc(slot, source, bytes, 1);
	__atomic_fetch_add(&truth[source].allocs, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&truth[source].alloc_bytes, bytes, __ATOMIC_RELAXED);
	uint64_t block = __atomic_exchange_n(cell, (uint64_t)source << 32 | bytes, __ATOMIC_ACQ_REL);
	if (block == 0)
		return;
	source = (uint32_t)(block >> 32);
	bytes = (uint32_t)block;
	thread_count_free(slot, source, bytes, 1);
	__atomic_fetch_add(&truth[source].frees, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&truth[source].free_bytes, bytes, __ATOMIC_RELAXED);
}

static void *
count(void *number)
{
	unsigned random = (unsigned)(uintptr_t)number + 1;
	struct slot *slot = thread_own();

	expect(slot != &thread_shared);
	for (int i = 0; i < ROUNDS; i++)
		trade(slot, &random, rand_r(&random) % PMEM_SOURCES);
	// Handlers count so, and a source may be in both.
	for (int i = 0; i < ROUNDS / 100; i++)
		trade(&thread_shared, &random, rand_r(&random) % PMEM_SOURCES);
	for (int i = 0; i < SLOT_GROUPS; i++)
		__atomic_fetch_add(slot->groups[i] ? &groups : &turned_away, 1, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&running, 1, __ATOMIC_RELEASE);
	// What one that ends gives back, one that begins later would count again.
	pthread_barrier_wait(&all_counted);
	return NULL;
}

static void
expect_sound(uint32_t source)
{
	struct counter sum;
	tally_sum(source, 1, &sum);
	expect(sum.frees <= sum.allocs && sum.free_bytes <= sum.alloc_bytes);
	expect(sum.allocs != sum.frees || sum.alloc_bytes == sum.free_bytes);
}

static void
expect_true(uint32_t source)
{
	struct counter sum;
	tally_sum(source, 1, &sum);
	expect(sum.allocs == truth[source].allocs && sum.alloc_bytes == truth[source].alloc_bytes);
	expect(sum.frees == truth[source].frees && sum.free_bytes == truth[source].free_bytes);
}

int
main(void)
{
	pthread_t threads[THREADS];

	thread_start();
	expect(pthread_barrier_init(&all_counted, NULL, THREADS) == 0);
	for (uint32_t i = 0; i < PMEM_SOURCES; i++)
		expect(thread_reach(i));
	for (uintptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, count, (void *)i) == 0);
	for (uint32_t i = 0; __atomic_load_n(&running, __ATOMIC_ACQUIRE) > 0; i++)
		expect_sound(i % PMEM_SOURCES);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < PMEM_SOURCES; i++)
		expect_true(i);

	// The room was used up, and not exceeded.
	expect(turned_away > 0);
	expect(groups <= (SLOT_AREAS + THREADS) * GROUPS_FIRST);
	expect(groups > SLOT_AREAS * GROUPS_FIRST);
	expect(THREADS * SLOT_BYTES + SLOT_AREAS * SLOT_AREA_BYTES < thread_bytes_max());
	return 0;
}
