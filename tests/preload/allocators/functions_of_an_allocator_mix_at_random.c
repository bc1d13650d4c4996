// A million random calls of all functions that jemalloc, tcmalloc and mimalloc have, in
// two threads: whatever gave a block, resizes it and takes it back, contents and
// alignment stay, and the log's totals are the test's own to the byte.
// needs: libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev
// each: -DJEMALLOC -ljemalloc; -DTCMALLOC -ltcmalloc; -DTCMALLOC -ltcmalloc_minimal; -DMIMALLOC -lmimalloc

#include <pthread.h>

#include "names.h"
#include "host.h"

// But for the last.
#define COUNT(table) (sizeof(table) / sizeof(*(table)) - 1)

enum { THREADS = 2, STEPS = 500000, BLOCKS = 2048 };

struct totals {
	uint64_t calls, live, blocks;
};

static struct block {
	unsigned char *at;
	size_t bytes;
	size_t alignment;
	bool as_new; // never resized, nor aligned
	int busy; // taken out by a thread
} blocks[BLOCKS];
static struct totals totals[THREADS];

static void
check_mark(const struct block *block, size_t bytes)
{
	unsigned char mark = (unsigned char)block->bytes;
	for (size_t i = 0; i < bytes; i += bytes / 32 + 1)
		expect(block->at[i] == mark);
	expect(block->at[bytes - 1] == mark);
}

static void
give(struct block *block, size_t how, size_t bytes)
{
	const struct give *give = &gives[how / 8 % COUNT(gives)];
	block->alignment = give->alignment == ALIGNS ? 16UL << how % 8 : give->alignment;
	block->at = give->call(bytes, block->alignment);
	block->as_new = block->alignment == 0;
	expect(block->at && (block->alignment == 0 || (uintptr_t)block->at % block->alignment == 0));
	for (size_t i = 0; give->zeroes && i < bytes; i += bytes / 64 + 1)
		expect(block->at[i] == 0);
	expect(!give->zeroes || block->at[bytes - 1] == 0);
}

static void
take(struct block *block, size_t how)
{
	const struct take *take = &takes[how % COUNT(takes)];
	if (take->as_new && !block->as_new)
		take = takes;
	take->call(block->at, block->bytes, block->alignment);
	block->at = NULL;
}

static void
resize(struct block *block, size_t how, size_t bytes)
{
	const struct resize *resize = &resizes[how % COUNT(resizes)];
	block->at = resize->call(block->at, bytes);
	expect(block->at != NULL);
	check_mark(block, block->bytes < bytes ? block->bytes : bytes);
	block->alignment = resize->alignment;
	block->as_new = false;
}

static void
step(struct block *block, struct totals *sum, uint64_t random)
{
	size_t how = random >> 20 & 0xfff;
	size_t bytes = 1 + (random >> 40 & (how % 64 == 9 ? 0x3ffff : how & 1 ? 127 : 2047));

	sum->calls++;
	if (block->at)
		check_mark(block, block->bytes);
	if (block->at && random >> 63) {
		sum->live -= block->bytes, sum->blocks--;
		take(block, how);
		return;
	}
	if (block->at) {
		sum->live -= block->bytes, sum->blocks--;
		resize(block, how, bytes);
	} else {
		give(block, how, bytes);
	}
	sum->live += bytes, sum->blocks++;
	block->bytes = bytes;
	size_t usable = measures[how % 2].call(block->at);
	expect(usable >= bytes);
	memset(block->at, (unsigned char)bytes, usable);
}

FRAME void *
work(void *number)
{
	struct totals *sum = &totals[(uintptr_t)number];
	uint64_t random = 88172645463325252 + (uintptr_t)number;

	for (int i = 0; i < STEPS; i++) {
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
	for (uintptr_t i = 0; i < THREADS; i++)
		expect(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	FILE *figures = fopen("figures", "w");
	fprintf(figures, "%lu %lu %lu", totals[0].calls + totals[1].calls,
		totals[0].live + totals[1].live, totals[0].blocks + totals[1].blocks);
	fclose(figures);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	struct totals own, sum = {0};

	expect(sscanf(read_file("figures"), "%lu %lu %lu", &own.calls, &own.live, &own.blocks) == 3);
	for (int i = 0; i < last->entry_count; i++) {
		bool of_work = false;
		for (int at = 1; at < last->entries[i].depth; at++)
			of_work = of_work || strstr(last->entries[i].frames[at], "(work+");
		if (!of_work)
			continue;
		sum.live += last->entries[i].counts.live, sum.blocks += last->entries[i].counts.blocks;
	}
	expect(own.calls > STEPS && own.blocks > BLOCKS / 3);
	expect_equal(sum.live, own.live);
	expect_equal(sum.blocks, own.blocks);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "damaged"), 0);
	tally("blocks", own.calls);
	printf("figure: %lu calls, differences 0\n", own.calls);
}
