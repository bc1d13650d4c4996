// long
// on each allocator
// Millions of random calls of the whole family in several threads, blocks handed from one to
// another, each written to its last usable byte: contents stay, and the log's totals are
// the test's own, to the byte. On an emulated processor calls are fewer by TEST_SLOWER.

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum {
	THREADS = 4,
	BLOCKS = 4096,
};

struct totals {
	uint64_t allocs, alloc, frees, free;
};

static struct block {
	unsigned char *at;
	size_t bytes;
	int busy; // taken out by a thread
} blocks[BLOCKS];
static struct totals totals[THREADS];

static int
steps(void)
{
	const char *slower = getenv("TEST_SLOWER");
	return 600000 / (slower ? atoi(slower) : 1);
}

static void
check_mark(const struct block *block, size_t bytes)
{
	unsigned char mark = (unsigned char)block->bytes;
	for (size_t i = 0; i < bytes; i += bytes / 64 + 1)
		expect(block->at[i] == mark);
	expect(bytes == 0 || block->at[bytes - 1] == mark);
}

static void
allocate(struct block *block, unsigned how, size_t bytes)
{
	switch (how) {
	case 0: block->at = calloc(bytes, 1); break;
	case 1: block->at = memalign(256, bytes); break;
	case 2: block->at = aligned_alloc(64, bytes); break;
	case 3: expect(posix_memalign((void **)&block->at, 4096, bytes) == 0); break;
	case 4: block->at = valloc(bytes); break;
	case 5: block->at = pvalloc(bytes); break;
	case 6: block->at = reallocarray(NULL, bytes, 1); break;
	default: block->at = malloc(bytes); break;
	}
	if (how == 0)
		expect(bytes == 0 || (block->at[0] == 0 && block->at[bytes - 1] == 0));
}

static void
step(struct block *block, struct totals *sum, uint64_t random)
{
	unsigned how = random >> 20 & 31;
	size_t bytes = random >> 40 & (how == 9 ? 0x3ffff : how & 3 ? 255 : 4095);

	if (block->at)
		check_mark(block, block->bytes), sum->frees++, sum->free += block->bytes;
	if (block->at && how >= 16) {
		free(block->at);
		block->at = NULL;
		return;
	}
	if (block->at && bytes > 0) {
		size_t kept = block->bytes < bytes ? block->bytes : bytes;
		block->at = how & 1 ? realloc(block->at, bytes) : reallocarray(block->at, 1, bytes);
		check_mark(block, kept);
	} else {
		free(block->at);
		allocate(block, how, bytes);
	}
	sum->allocs++, sum->alloc += bytes;
	block->bytes = bytes;
	memset(block->at, (unsigned char)bytes, malloc_usable_size(block->at));
}

FRAME void *work(void *number)
{
	struct totals *sum = &totals[(uintptr_t)number];
	uint64_t random = 88172645463325252 + (uintptr_t)number;

	for (int i = 0, count = steps(); i < count; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		struct block *block = &blocks[random % BLOCKS];
		if (__atomic_exchange_n(&block->busy, 1, __ATOMIC_ACQUIRE))
			continue;
		step(block, sum, random);
		__atomic_store_n(&block->busy, 0, __ATOMIC_RELEASE);
	}
	return NULL;
}

void
host(void)
{
	pthread_t threads[THREADS];
	struct totals sum = {0};

	for (uintptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum.allocs += totals[i].allocs, sum.alloc += totals[i].alloc;
		sum.frees += totals[i].frees, sum.free += totals[i].free;
	}
	FILE *figures = fopen("figures", "w");
	fprintf(figures, "%lu %lu %lu %lu", sum.allocs, sum.alloc, sum.frees, sum.free);
	fclose(figures);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	struct totals own, sum = {0};

	expect(sscanf(read_file("figures"), "%lu %lu %lu %lu", &own.allocs, &own.alloc, &own.frees,
		       &own.free) == 4);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		bool of_work = false;
		for (int at = 1; at < entry->depth; at++)
			of_work = of_work || strstr(entry->frames[at], "(work+");
		if (!of_work)
			continue;
		sum.allocs += entry->counts.allocs, sum.alloc += entry->counts.alloc;
		sum.frees += entry->counts.frees, sum.free += entry->counts.free;
	}
	expect(own.allocs > (uint64_t)steps());
	expect_equal(sum.allocs, own.allocs);
	expect_equal(sum.alloc, own.alloc);
	expect_equal(sum.frees, own.frees);
	expect_equal(sum.free, own.free);
	printf("figure: %lu calls, differences 0\n", own.allocs + own.frees);
}
