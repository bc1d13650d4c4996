// on each allocator
// of glibc
// A program may write all that malloc_usable_size() grants, whichever function gave the
// block, small, large or mapped, resized in place, or after malloc_trim(); the count
// survives it, and the neighbours do.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum {
	FUNCTIONS = 9,
};

static char *
by(int function, size_t bytes)
{
	void *block = NULL;
	switch (function) {
	case 0: return malloc(bytes);
	case 1: return calloc(bytes, 1);
	case 2: return realloc(NULL, bytes);
	case 3: return reallocarray(NULL, 1, bytes);
	case 4: return posix_memalign(&block, 256, bytes) == 0 ? block : NULL;
	case 5: return memalign(bytes < 1 << 20 ? 32 : 1 << 20, bytes);
	case 6: return aligned_alloc(64, bytes);
	case 7: return valloc(bytes);
	default: return pvalloc(bytes);
	}
}

static char *
fill(char *block, size_t bytes)
{
	size_t usable = malloc_usable_size(block);
	expect(block && usable >= bytes);
	memset(block, 0xff, usable);
	return block;
}

static void
use_up(int function, size_t bytes)
{
	char *block = fill(by(function, bytes), bytes);
	char *neighbour = fill(by(function, bytes), bytes);
	// Down and up again, mostly in place.
	block = fill(realloc(block, bytes - bytes / 4 + 1), bytes - bytes / 4 + 1);
	block = fill(realloc(block, malloc_usable_size(block) + 1), bytes - bytes / 4 + 2);
	size_t usable = malloc_usable_size(neighbour);
	for (size_t i = 0; i < usable; i += usable / 256 + 1)
		expect(neighbour[i] == (char)0xff);
	if (bytes % 97 == 0)
		malloc_trim(0);
	free(neighbour);
	free(fill(block, bytes - bytes / 4 + 2));
}

void
host(void)
{
	for (int function = 0; function < FUNCTIONS; function++) {
		for (size_t bytes = 0; bytes < 1500; bytes += function < 4 ? 1 : 7)
			use_up(function, bytes);
		for (size_t bytes = 4096; bytes < (32 << 20); bytes = bytes * 2 + 1)
			use_up(function, bytes);
	}
}

void
check(const struct logfile *log)
{
	const struct log_counts total = log_last(log)->total, idle = host_idle_totals();
	expect_equal(total.live, idle.live);
	expect_equal(total.allocs - idle.allocs, total.frees - idle.frees);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
	expect_equal(log_loss(log_last(log), "damaged"), 0);
}
