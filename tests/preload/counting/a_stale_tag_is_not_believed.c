// long
// pmem: -DPMEM_SAMPLE_BYTES=3000 -DPMEM_SAMPLE_SEED=1
// of glibc
// A block that was left out lies where a recorded one was freed, of the same size, with its bytes
// as that left them: it is nobody's. Where nobody saw that one being freed it counts as freed now.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { TURNS = 30000, SMALL = 24, LARGE = SMALL + 16 };

void __libc_free(void *block);

// A recorded one has 16 bytes more than it wants, and its chunk is as large as after()'s.
FRAME void *seen(void) { return malloc(SMALL); }
FRAME void *unseen(void) { return malloc(SMALL); }
FRAME void *after(void) { return malloc(LARGE); }
FRAME void *resized(void *block) { return realloc(block, LARGE); }

static unsigned recycled;

static void
turn(void *(*give)(void), void (*give_back)(void *), bool resizes)
{
	static void *volatile neighbour; // so that the page has another that was recorded
	void *block = give();
	bool is_recorded = (((size_t *)block)[-1] & ~(size_t)7) > SMALL + 8;

	if (!is_recorded) {
		free(block);
		return;
	}
	if (!neighbour) {
		neighbour = block;
		return;
	}
	if (resizes) {
		block = resized(block);
		recycled += malloc_usable_size(block) == LARGE;
		free(block);
		return;
	}
	give_back(block);
	void *next = after();
	if (next == block && malloc_usable_size(next) == LARGE)
		recycled++;
	free(next);
}

void
host(void)
{
	for (int i = 0; i < TURNS; i++) {
		turn(seen, free, false);
		turn(seen, free, true);
		turn(unseen, __libc_free, false);
	}
	if (recycled < 300)
		abort();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	struct log_counts of_seen = log_sum(last, "(seen+");
	struct log_counts of_unseen = log_sum(last, "(unseen+");
	struct log_counts of_after = log_sum(last, "(after+");

	// All but the neighbour, which is one of the recorded ones.
	expect(of_seen.allocs > TURNS && of_seen.allocs - of_seen.frees <= 3000 / SMALL + 2);
	expect(of_unseen.allocs > TURNS / 2 && of_unseen.frees > of_unseen.allocs / 2);
	expect(of_unseen.frees <= of_unseen.allocs && log_loss(last, "unseen_frees") > 0);
	expect(of_after.live == 0);
}
