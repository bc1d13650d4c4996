// Blocks of a program's own mimalloc heaps are not counted: such a heap may be destroyed
// with all that is in it. They are freed and resized as without us; a counted block that
// moves into one leaves the books; and what is freed one by one is counted as untracked.
// needs: libmimalloc-dev
// link: -lmimalloc

#include <mimalloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { ROUNDS = 100, BYTES = 500, MOVED = 11 };

FRAME void *first(void) { void *block = mi_malloc(BYTES); use(block); return block; }

static void *
move(mi_heap_t *heap, void *old, int how)
{
	static const size_t to = 2 * BYTES;
	switch (how) {
	case 0: return mi_heap_realloc(heap, old, to);
	case 1: return mi_heap_reallocn(heap, old, 2, BYTES);
	case 2: return mi_heap_reallocf(heap, old, to);
	case 3: return mi_heap_rezalloc(heap, old, to);
	case 4: return mi_heap_recalloc(heap, old, 2, BYTES);
	case 5: return mi_heap_realloc_aligned(heap, old, to, 64);
	case 6: return mi_heap_realloc_aligned_at(heap, old, to, 64, 8);
	case 7: return mi_heap_rezalloc_aligned(heap, old, to, 64);
	case 8: return mi_heap_rezalloc_aligned_at(heap, old, to, 64, 8);
	case 9: return mi_heap_recalloc_aligned(heap, old, 2, BYTES, 64);
	default: return mi_heap_recalloc_aligned_at(heap, old, 2, BYTES, 64, 8);
	}
}

FRAME void
work(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		mi_heap_t *heap = mi_heap_new();
		char *one = mi_heap_malloc(heap, BYTES), *two = mi_heap_calloc(heap, 2, BYTES);
		char *three = mi_heap_strdup(heap, "three");
		use(memset(one, 'x', mi_usable_size(one)));
		use(memset(two, 'x', mi_usable_size(two)));
		expect(strcmp(three, "three") == 0);
		mi_free(one);
		free(two);
		for (int how = 0; how < MOVED; how++) {
			char *block = memset(first(), 'y', BYTES);
			block = move(heap, block, how);
			expect(block[0] == 'y' && block[BYTES - 1] == 'y');
			use(memset(block, 'z', mi_usable_size(block)));
			// What fails leaves it as it was.
			expect(move(heap, first(), 99) != NULL);
			expect(mi_heap_realloc(heap, block, (size_t)1 << 62) == NULL && block[0] == 'z');
		}
		char *kept = first();
		expect(mi_heap_realloc(heap, kept, (size_t)1 << 62) == NULL);
		free(kept);
		mi_heap_destroy(heap);
	}
}

void
host(void)
{
	work();
	use(first());
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *from = log_from(last, "first");

	// Only the last one is left of those; all others are gone, and counted so.
	expect(from != NULL);
	expect_equal(from->counts.live, BYTES);
	expect_equal(last->total.allocs - last->total.blocks, last->total.frees);
	for (int i = 0; i < last->entry_count; i++)
		for (int at = 1; at < last->entries[i].depth; at++)
			expect(!strstr(last->entries[i].frames[at], "(work+")
				|| last->entries[i].counts.blocks == 0);
	expect(log_loss(last, "untracked_frees") >= 2 * ROUNDS);
	expect_equal(log_loss(last, "damaged"), 0);
	printf("figure: %lu untracked\n", log_loss(last, "untracked_frees"));
}
