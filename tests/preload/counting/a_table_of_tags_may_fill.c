// long
// on each allocator
// pmem: -DPMEM_TAG_TABLE_BYTES=2097152
// More large blocks than the table of tags has room for: each byte is counted all the same, whether a
// block's tag lies in the table or, once that is full, in the block.

#include <stdlib.h>

#include "host.h"

// Of 256 MiB of addresses, of which the table is enough for about 100.
enum { BLOCKS = 4096, BYTES = 65536 };

static void *blocks[BLOCKS];

FRAME void *give(size_t bytes) { void *block = malloc(bytes); use(block); return block; }
FRAME void *resize(void *old, size_t bytes) { void *block = realloc(old, bytes); use(block); return block; }

void
host(void)
{
	for (int i = 0; i < BLOCKS; i++)
		blocks[i] = give(BYTES);
	for (int i = 0; i < BLOCKS; i += 2)
		blocks[i] = resize(blocks[i], 2 * BYTES);
	for (int i = 1; i < BLOCKS; i += 4)
		free(blocks[i]);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(log_sum(last, "give").live, (uint64_t)BLOCKS / 4 * BYTES);
	expect_equal(log_sum(last, "give").free, (uint64_t)BLOCKS / 4 * 3 * BYTES);
	expect_equal(log_sum(last, "resize").live, (uint64_t)BLOCKS / 2 * 2 * BYTES);
	expect_equal(log_loss(last, "tags_full"), 0);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "unseen_frees"), 0);
}
