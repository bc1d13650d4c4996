// of glibc
// A large block, which glibc maps, may be freed when the program has made all but its first page
// read-only, or taken that from itself to its very end: free() looks at no more than the first page.
// Both are counted as ever: the tag of a large block is not in the block.
// pmem: -DPMEM_CHURN_THRESH=1000000000

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

enum {
	BYTES = 1 << 20,
	PAGE = 4096,
	ROUNDS = 20,
};

FRAME void *readable(void) { void *block = malloc(BYTES); use(block); return block; }
FRAME void *closed(void) { void *block = malloc(BYTES); use(block); return block; }

static void
protect(char *block, int protection)
{
	char *start = (char *)(((uintptr_t)block + PAGE) & -(uintptr_t)PAGE);

	memset(block, 1, BYTES);
	expect_equal(mprotect(start, (size_t)(block + BYTES - start), protection), 0);
}

void
host(void)
{
	mallopt(M_MMAP_THRESHOLD, BYTES / 2);
	for (int i = 0; i < ROUNDS; i++) {
		char *block = readable();
		protect(block, PROT_READ);
		free(block);
		block = closed();
		protect(block, PROT_NONE);
		free(block);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(log_empty_from(last, "readable")->counts.free, ROUNDS * (uint64_t)BYTES);
	expect_equal(log_empty_from(last, "closed")->counts.free, ROUNDS * (uint64_t)BYTES);
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
