// on each allocator
// Every function of the malloc family counts what the program asked for, to the byte, to
// the function that called it.

#include <malloc.h>
#include <stdlib.h>

#include "host.h"

FRAME void from_malloc(void) { use(malloc(101)); }
FRAME void from_calloc(void) { use(calloc(7, 13)); }
FRAME void from_realloc(void) { use(realloc(NULL, 55)); }
FRAME void from_reallocarray(void) { use(reallocarray(NULL, 5, 9)); }
FRAME void from_memalign(void) { use(memalign(256, 300)); }
FRAME void from_aligned_alloc(void) { use(aligned_alloc(64, 128)); }
FRAME void from_valloc(void) { use(valloc(5000)); }
FRAME void from_pvalloc(void) { use(pvalloc(5001)); }
FRAME void from_nothing(void) { use(malloc(0)); }
FRAME void from_large(void) { use(malloc(9000001)); }
FRAME void half_freed(size_t i)
{
	void *block = malloc(i);
	use(block);
	if (i % 2)
		free(block);
}
FRAME void from_posix_memalign(void)
{
	void *block;
	if (posix_memalign(&block, 4096, 10000) == 0)
		use(block);
}

void
host(void)
{
	for (int i = 0; i < 3; i++) {
		from_malloc(), from_calloc(), from_realloc(), from_reallocarray();
		from_memalign(), from_aligned_alloc(), from_valloc(), from_pvalloc();
		from_nothing(), from_large(), from_posix_memalign();
	}
	for (size_t i = 1; i <= 1000; i++)
		half_freed(i);
	free(NULL);
}

static void
holds_three(const struct log_snapshot *snapshot, const char *function, uint64_t bytes)
{
	const struct log_source *source = log_from(snapshot, function);
	expect(source != NULL);
	expect_equal(source->counts.live, 3 * bytes);
	expect_equal(source->counts.alloc, 3 * bytes);
	expect_equal(source->counts.blocks, 3);
	expect_equal(source->counts.allocs, 3);
	expect_equal(source->counts.frees, 0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(last != NULL);
	holds_three(last, "from_malloc", 101);
	holds_three(last, "from_calloc", 7 * 13);
	holds_three(last, "from_realloc", 55);
	holds_three(last, "from_reallocarray", 45);
	holds_three(last, "from_memalign", 300);
	holds_three(last, "from_aligned_alloc", 128);
	holds_three(last, "from_valloc", 5000);
	holds_three(last, "from_pvalloc", 5001);
	holds_three(last, "from_nothing", 0);
	holds_three(last, "from_large", 9000001);
	holds_three(last, "from_posix_memalign", 10000);

	const struct log_source *half = log_from(last, "half_freed");
	expect(half != NULL);
	expect_equal(half->counts.alloc, 1000 * 1001 / 2);
	expect_equal(half->counts.free, 500 * 500);
	expect_equal(half->counts.allocs, 1000);
	expect_equal(half->counts.frees, 500);
	expect_equal(last->total.live - host_idle_totals().live,
		half->counts.live + 3 * (101 + 91 + 55 + 45 + 300 + 128)
			+ 3 * (5000 + 5001 + 9000001 + 10000));
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
