// on each allocator
// of glibc
// A program that writes past its blocks' ends, up to all 8 bytes of the tag: nothing breaks.
// By 1 or 2 bytes the free is still exact; by up to 6 it counts as damaged, beyond as
// untracked, and such a block stays live.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum {
	LARGE = 2,
	SIZES = 100 + LARGE,
	MAPPED = 60000, // glibc rounds its pages up: the size stands before the tag
	TAG = 8,
};

// With the tag no allocator rounds these up so far that the size stands before it. Larger ones have
// their tags elsewhere (tag_table.h).
static const size_t large[LARGE] = {5000, 50000};
static const size_t large_of_others[LARGE] = {300, 496};

static size_t
size_at(int i)
{
	int at = i - (SIZES - LARGE);
	return at < 0 ? (size_t)i + 1 : host_allocator() ? large_of_others[at] : large[at];
}

FRAME char *mended(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME char *damaged(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME char *untracked(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME char *mapped(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME char *moved(char *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }

static char *
overrun(size_t bytes, size_t by)
{
	char *block = by <= 2 ? mended(bytes) : by <= 6 ? damaged(bytes) : untracked(bytes);
	size_t usable = malloc_usable_size(block);
	memset(block, 'x', usable);
	for (size_t i = 0; i < by; i++)
		block[usable + i] ^= 0x5a;
	expect(malloc_usable_size(block) <= usable + (by > 6 ? TAG : 0));
	return block;
}

// Whether the size that a block is told to have leaves a word before its tag (tag.h, tag_leaves()): what is
// written there harms nothing.
static bool
has_spare_word(size_t bytes)
{
	char *block = malloc(bytes);
	size_t usable = malloc_usable_size(block);
	for (size_t i = 0; i < TAG; i++)
		block[usable + i] ^= 0x5a;
	bool has_word = malloc_usable_size(block) == usable;
	for (size_t i = 0; i < TAG; i++)
		block[usable + i] ^= 0x5a;
	free(block);
	return has_word;
}

static void
resize_it(char **block, size_t bytes)
{
	expect(realloc(*block, (size_t)1 << 62) == NULL);
	// Not so large that its tag lies elsewhere.
	*block = moved(*block, bytes + bytes / 4);
	for (size_t at = 0; at < bytes; at++)
		expect((*block)[at] == 'x');
}

void
host(void)
{
	int spare = 0;

	mallopt(M_MMAP_THRESHOLD, 58000); // and it stays there
	for (int i = 0; i < SIZES; i++)
		spare += has_spare_word(size_at(i));
	FILE *file = fopen("spare", "w");
	fprintf(file, "%d", spare);
	fclose(file);
	for (int i = 0; i < 2 * SIZES * TAG; i++) {
		size_t bytes = size_at(i / 2 % SIZES);
		char *block = overrun(bytes, 1 + (size_t)i / 2 / SIZES);
		if (i % 2)
			resize_it(&block, bytes);
		free(block);
	}
	// Where there is room in the heap glibc maps none.
	while (!host_allocator() && mallinfo2().keepcost > MAPPED / 2)
		use(malloc(1000));
	// What was written over is the size before the tag, by 1 to 8 bytes and the tag's own.
	for (size_t by = 1; by <= 2 * TAG && !host_allocator(); by++) {
		char *block = mapped(MAPPED);
		size_t usable = malloc_usable_size(block);
		for (size_t i = 0; i < by; i++)
			block[usable + i] ^= 0x5a;
		free(block);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	unsigned spare = (unsigned)atoi(read_file("spare"));
	uint64_t each = 2 * (SIZES - spare); // freed, and resized

	expect(spare <= LARGE);
	expect(log_from(last, "mended") == NULL && log_from(last, "moved") == NULL);
	expect_equal(log_from(last, "damaged")->counts.blocks, 4 * each);
	expect_equal(log_from(last, "untracked")->counts.blocks, 2 * each);
	expect_equal(log_loss(last, "damaged"), 6 * each + (host_allocator() ? 0 : 14));
	expect_equal(log_loss(last, "untracked_frees"), 2 * each + (host_allocator() ? 0 : 2));
	if (!host_allocator())
		expect_equal(log_from(last, "mapped")->counts.blocks, 2 * TAG);
	printf("figure: %u blocks overrun\n", (unsigned)(8 * each + 16));
}
