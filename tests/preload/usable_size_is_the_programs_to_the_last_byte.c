// A program may write all that malloc_usable_size() grants; the count survives it.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

FRAME void *fill(size_t bytes)
{
	void *block = malloc(bytes);
	size_t usable = malloc_usable_size(block);
	expect(usable >= bytes);
	memset(block, 0xff, usable);
	return block;
}

void
host(void)
{
	for (size_t bytes = 0; bytes < 3000; bytes++)
		free(fill(bytes));
	for (size_t bytes = 4096; bytes < (64 << 20); bytes *= 2) {
		char *block = fill(bytes + 1);
		block = realloc(block, bytes / 2);
		memset(block, 0xff, malloc_usable_size(block));
		free(block);
		void *aligned = memalign(bytes, 100);
		memset(aligned, 0xff, malloc_usable_size(aligned));
		free(aligned);
	}
}

void
check(const struct logfile *log)
{
	expect_equal(log_last(log)->total.live, 0);
	expect_equal(log_last(log)->total.allocs, log_last(log)->total.frees);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
}
