// on each allocator
// of glibc
// Random calls of the whole family, at sizes around every power of two, with the tag's bytes
// and without, and at every alignment to 1 MiB: blocks are aligned, what was written up to
// malloc_usable_size() stays, in realloc() too, and the log's totals are the test's own.

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum { STEPS = 500000, BLOCKS = 1024, EDGE = 128, STRIDE = 4099, TAG = 8, WIDE = 255 };

static struct block {
	unsigned char *at, mark;
	size_t bytes, usable;
} blocks[BLOCKS];

static struct figures {
	uint64_t allocs, alloc, frees, free, in_place, moved, wide;
} sum;

// What is written and looked at of a block: its edges, and a byte a page.
static size_t
next_place(size_t at, size_t bytes)
{
	if (at < EDGE || at + EDGE >= bytes)
		return at + 1;
	return at + STRIDE + EDGE < bytes ? at + STRIDE : bytes - EDGE;
}

static void
expect_mark(const struct block *block, size_t bytes, unsigned char mark)
{
	for (size_t i = 0; i < bytes; i = next_place(i, block->usable))
		expect(block->at[i] == mark);
}

static void
count_and_fill(struct block *block, size_t bytes, unsigned char mark)
{
	*block = (struct block){block->at, mark, bytes, malloc_usable_size(block->at)};
	expect(block->at && block->usable >= bytes);
	for (size_t i = 0; i < block->usable; i = next_place(i, block->usable))
		block->at[i] = mark;
	sum.allocs++, sum.alloc += bytes, sum.wide += block->usable - bytes >= WIDE;
}

static size_t
draw_size(uint64_t random)
{
	size_t power = (size_t)1 << (random >> 8) % 23, near = (random >> 16) % 3;
	switch (random % 16) {
	case 0: return power - 1 + near;
	case 1: return power > TAG ? power - TAG - 1 + near : power;
	case 2: case 3: return (random >> 16) % 65537;
	default: return (random >> 16) % 1025;
	}
}

static void *
allocate(unsigned how, size_t alignment, size_t bytes)
{
	void *block = NULL;
	switch (how) {
	case 0: return memalign(alignment, bytes);
	case 1: return aligned_alloc(alignment, bytes);
	case 2: return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
	case 3: return valloc(bytes);
	case 4: return pvalloc(bytes);
	case 5: case 6: return calloc(bytes, 1);
	case 7: return reallocarray(NULL, 1, bytes);
	case 8: return realloc(NULL, bytes);
	default: return malloc(bytes);
	}
}

static void
allocate_checked(struct block *block, uint64_t random, size_t bytes)
{
	unsigned how = (random >> 40) % 16;
	size_t alignment = (size_t)1 << (random >> 50) % 21;
	size_t natural = bytes >= 16 ? 16 : bytes >= 8 ? 8 : 1;

	if (how == 2 && alignment < sizeof(void *))
		expect(posix_memalign((void **)&block->at, alignment, bytes) == EINVAL), alignment = 8;
	block->at = allocate(how, alignment, bytes);
	expect((uintptr_t)block->at % (how < 3 ? alignment : how < 5 ? 4096 : natural) == 0);
	if (how == 5 || how == 6) {
		block->usable = bytes;
		expect_mark(block, bytes, 0);
	}
	if (how == 4)
		expect(malloc_usable_size(block->at) >= (bytes + 4095) / 4096 * 4096);
}

static void
resize_checked(struct block *block, uint64_t random, size_t bytes)
{
	struct block old = *block;
	if (random >> 54 == 0)
		expect(realloc(old.at, PTRDIFF_MAX) == NULL);
	expect_mark(&old, old.usable, old.mark);
	// Half of them not far from what they were.
	if (random >> 59 & 1)
		bytes = old.bytes + bytes % 64;
	block->at = bytes & 1 ? realloc(old.at, bytes) : reallocarray(old.at, 1, bytes);
	*(block->at == old.at ? &sum.in_place : &sum.moved) += 1;
	if (block->at) {
		expect_mark(&(struct block){block->at, 0, 0, old.usable},
			old.usable < bytes ? old.usable : bytes, old.mark);
		count_and_fill(block, bytes, (unsigned char)random);
	}
}

static void
step(uint64_t random)
{
	struct block *block = &blocks[random % BLOCKS];
	size_t bytes = draw_size(random >> 10);

	if (!block->at) {
		allocate_checked(block, random, bytes);
		count_and_fill(block, bytes, (unsigned char)random);
		return;
	}
	sum.frees++, sum.free += block->bytes;
	if (random >> 58 & 1) {
		resize_checked(block, random, bytes);
		return;
	}
	expect_equal(malloc_usable_size(block->at), block->usable);
	expect_mark(block, block->usable, block->mark);
	free(block->at);
	block->at = NULL;
}

void
host(void)
{
	uint64_t random = 88172645463325252;
	for (int i = 0; i < STEPS; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		step(random);
	}
	int fd = open("figures", O_WRONLY | O_CREAT, 0600);
	expect(write(fd, &sum, sizeof(sum)) == sizeof(sum));
	close(fd);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_counts idle = host_idle_totals();
	int fd = open("figures", O_RDONLY);

	expect(read(fd, &sum, sizeof(sum)) == sizeof(sum));
	close(fd);
	printf("figure: %lu calls, %lu of %lu in place, %lu with much slack\n",
		sum.allocs + sum.frees, sum.in_place, sum.in_place + sum.moved, sum.wide);
	expect_equal(last->total.alloc - idle.alloc, sum.alloc);
	expect_equal(last->total.free - idle.free, sum.free);
	expect_equal(last->total.allocs - idle.allocs, sum.allocs);
	expect_equal(last->total.frees - idle.frees, sum.frees);
	expect(log_lost_nothing(last));
	expect(sum.in_place > STEPS / 100 && sum.moved > STEPS / 100 && sum.wide > 100);
}
