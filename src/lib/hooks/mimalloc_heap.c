// SPDX-License-Identifier: BSD-2-Clause
// mimalloc_heap: blocks of a program's own heaps in mimalloc. These blocks have no tag and are not
// counted. The reason: mi_heap_destroy() frees all blocks of a heap at once, without a call for each
// block. If a tagged block (tag.h) is resized into such a heap, it counts as freed.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/real.h"
#include "base/tag.h"
#include "hooks/record.h"
#include "hooks/hook.h"
#include "hooks/extension.h"
#include "hooks/extension_row.h"

// Resizes a block into a heap of the program's own. If `frees`, the allocator frees the old block
// on failure.
INLINE void *
resizes_into_heap(
	struct extension *self, void *old, struct words words, bool zeroes, bool frees)
{
	struct taken taken = {.was = TAG_NONE};

	extension_begin(self);
	if (!self->code)
		return NULL;
	if (self->on && old && !boot_owns(old))
		extension_take(old, &taken);
	if (taken.was < TAG_MENDED)
		return (void *)extension_call(self->code, words);
	uintptr_t outer = real_enter(self->call->at.frame.sp);
	void *block = (void *)extension_call(self->code, words);
	real_leave(outer);
	if (!block && !frees) {
		record_stays(&taken);
		return NULL;
	}
	if (block && zeroes)
		extension_zero_ours(block, &taken);
	extension_gone(&taken, self->call);
	return block;
}

// Defines one hook a line, as the macros of extension_row.h do.
#define RESIZES_INTO_HEAP(function, called, zeroes, frees) \
	RESIZES_INTO_HEAP_AS(function, zeroes, frees, called)
#define RESIZES_INTO_HEAP_AS(function, zeroes, frees, words, ...) \
	HOOK(void *, function, void *heap, void *old, __VA_ARGS__) \
	{ \
		return resizes_into_heap(NEXT(function, 0, 0), old, \
			extension_behind(heap, extension_behind(old, words)), zeroes, frees); \
	}

RESIZES_INTO_HEAP(mi_heap_realloc, BYTES, false, false)
RESIZES_INTO_HEAP(mi_heap_reallocn, COUNT_SIZE, false, false)
RESIZES_INTO_HEAP(mi_heap_reallocf, BYTES, false, true)
RESIZES_INTO_HEAP(mi_heap_rezalloc, BYTES, true, false)
RESIZES_INTO_HEAP(mi_heap_recalloc, COUNT_SIZE, true, false)
RESIZES_INTO_HEAP(mi_heap_realloc_aligned, BYTES_ALIGNMENT, false, false)
RESIZES_INTO_HEAP(mi_heap_realloc_aligned_at, BYTES_ALIGNMENT_OFFSET, false, false)
RESIZES_INTO_HEAP(mi_heap_rezalloc_aligned, BYTES_ALIGNMENT, true, false)
RESIZES_INTO_HEAP(mi_heap_rezalloc_aligned_at, BYTES_ALIGNMENT_OFFSET, true, false)
RESIZES_INTO_HEAP(mi_heap_recalloc_aligned, COUNT_SIZE_ALIGNMENT, true, false)
RESIZES_INTO_HEAP(mi_heap_recalloc_aligned_at, COUNT_SIZE_ALIGNMENT_OFFSET, true, false)
