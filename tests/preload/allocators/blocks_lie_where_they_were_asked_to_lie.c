// A block asked for at an alignment is aligned, of whatever size and on each allocator:
// what is asked of it in addition makes other sizes of them, and mimalloc 2.0 misses
// some.
// needs: libjemalloc-dev libgoogle-perftools-dev libmimalloc-dev
// each: -DGLIBC; -DJEMALLOC -ljemalloc; -DTCMALLOC -ltcmalloc_minimal; -DMIMALLOC -lmimalloc

#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { ALIGNMENTS = 9, KEPT = 64 };

void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment) __attribute__((weak));

static uint64_t asked;

static void *
allocate(int how, size_t alignment, size_t bytes)
{
	void *block = NULL;
	switch (how) {
	case 0: expect(posix_memalign(&block, alignment, bytes) == 0); break;
	case 1: block = memalign(alignment, bytes); break;
	case 2: block = aligned_alloc(alignment, bytes); break;
	case 3: block = valloc(bytes); break;
	// As libstdc++'s are asked, which are not here.
	default: block = _ZnwmSt11align_val_t ? _ZnwmSt11align_val_t(bytes, alignment) : NULL;
	}
	asked++;
	return block;
}

void
host(void)
{
	void *kept[KEPT] = {NULL};
	int next = 0;

	for (int shift = 4; shift < 4 + ALIGNMENTS; shift++)
		for (size_t bytes = 8; bytes <= 8192; bytes += 8)
			for (int how = 0; how < 5; how++) {
				size_t alignment = how == 3 ? 4096 : 1UL << shift;
				void *block = allocate(how, alignment, bytes);
				expect((uintptr_t)block % alignment == 0);
				free(kept[next]);
				kept[next] = block;
				next = (next + 1) % KEPT;
			}
	for (int i = 0; i < KEPT; i++)
		free(kept[i]);
	expect(asked == ALIGNMENTS * 1024 * 5);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(last->total.allocs >= ALIGNMENTS * 1024 * 4);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	printf("figure: %lu blocks\n", last->total.allocs);
}
