// safeheap: runs a test's own program again with tests/lib/safe_malloc.c beneath the library,
// and compares what that was asked for with what the library says.

#ifndef TESTS_SAFEHEAP_H
#define TESTS_SAFEHEAP_H

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { SAFE_TAG_BYTES = 8 };

struct safe_counts {
	uint64_t allocs, alloc_bytes, frees, free_bytes;
	uint64_t tags, freed_tags;
};

// In the host, before it allocates: what came before is the library's own.
static inline struct safe_counts *
safe_counts_begin(void)
{
	struct safe_counts *counts = dlsym(RTLD_DEFAULT, "safe_counts");
	expect(counts != NULL);
	*counts = (struct safe_counts){0};
	return counts;
}

// In the host, at its end: leaves them for check() to find.
static inline void
safe_counts_leave(const struct safe_counts *counts, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	expect(write(fd, counts, sizeof(*counts)) == sizeof(*counts));
	close(fd);
}

// In check(): runs the host, with a role, and reads its log.
static inline void
run_on_safe_heap(const char *role, struct logfile *log)
{
	char both[8192];
	expect(system("${CC:-gcc} -O1 -fno-builtin -shared -fPIC -Wl,-Bsymbolic -o safe.so"
		      " \"$PMEM_ROOT/tests/lib/safe_malloc.c\"") == 0);
	snprintf(both, sizeof(both), "%s ./safe.so", host_library());
	setenv("PMEM_LIBRARY", both, 1);
	expect_equal((uint64_t)run_again(role, true, NULL), 0);
	snprintf(both, sizeof(both), "pmem.%d.log", again_pid);
	read_log(log, both);
}

// In check().
static inline struct safe_counts
safe_counts_left(const char *path)
{
	struct safe_counts left = {0};
	int fd = open(path, O_RDONLY);
	expect(read(fd, &left, sizeof(left)) == sizeof(left));
	close(fd);
	return left;
}

// In check(): whether a block has all of it.
static inline void
safe_counts_agree(const char *path, const struct log_snapshot *last)
{
	struct safe_counts left = safe_counts_left(path);
	expect_equal(last->total.allocs, left.allocs);
	expect_equal(last->total.alloc, left.alloc_bytes - SAFE_TAG_BYTES * left.tags);
	expect_equal(last->total.frees, left.frees);
	expect_equal(last->total.free, left.free_bytes - SAFE_TAG_BYTES * left.freed_tags);
	expect_equal(log_loss(last, "untracked_frees"), 0);
}

#endif
