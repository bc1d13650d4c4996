// of a kernel
// on each allocator
// Blocks of more bytes than 32 bits can say, and of a GiB's alignment, are counted to the byte,
// shrunk and grown again; of their pages none is touched.

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "host.h"

#define GIB ((size_t)1 << 30)

enum { TOUCHED_MAX = 32 << 10 }; // KiB: an allocator's books, and large pages

FRAME void *large(size_t bytes) { void *p = malloc(bytes); use(p); return p; }
FRAME void *zeroed(size_t bytes) { void *p = calloc(bytes / 8, 8); use(p); return p; }
FRAME void *resized(void *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }
FRAME void *aligned(size_t bytes) { void *p = memalign(GIB, bytes); use(p); return p; }

static long
most_resident(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

// Whether it can be had without writing to all of it.
static bool
may_grow(void *block, size_t bytes)
{
	return !host_allocator() || malloc_usable_size(block) >= bytes;
}

void
host(void)
{
	long before = most_resident();
	char *block = large(6 * GIB + 5);
	if (!block)
		skip("6 GiB of memory");
	expect(malloc_usable_size(block) >= 6 * GIB + 5);
	block[4 * GIB] = 'x';
	for (int i = 0; i < 3; i++) {
		block = resized(block, 5 * GIB + 3);
		if (may_grow(block, 6 * GIB + 1))
			block = resized(block, 6 * GIB + 1);
		expect(block && block[4 * GIB] == 'x');
	}
	block = resized(block, 5 * GIB + 1);

	void *gib = aligned(GIB + 1);
	expect((uintptr_t)gib % GIB == 0);
	free(gib);
	use(aligned(100));
	// The others write all these zeros.
	if (!host_allocator() || host_allocator_is("jemalloc"))
		free(zeroed(5 * GIB));
	free(large(5 * GIB));
	expect(most_resident() - before < TOUCHED_MAX);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *kept = log_from(last, "resized");

	expect_equal(last->total.live - host_idle_totals().live, 5 * GIB + 1 + 100);
	expect_equal(kept->counts.live, 5 * GIB + 1);
	expect(log_from(last, "large") == NULL && log_from(last, "zeroed") == NULL);
	expect_equal(log_from(last, "aligned")->counts.live, 100);
	expect(log_lost_nothing(last));
}
