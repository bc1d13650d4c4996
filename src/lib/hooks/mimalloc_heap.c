// SPDX-License-Identifier: BSD-2-Clause
// Blocks of a program's own heaps in mimalloc bear no tag: mi_heap_destroy() frees them
// all at once, and tells nobody. A block of ours that is resized into such a heap is no
// longer one.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/real.h"
#include "base/tag.h"
#include "hooks/record.h"
#include "hooks/hook.h"
#include "hooks/extension.h"

// Resizes a block into such a heap. `frees`: it is freed where there is no room for a larger one.
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

#define WORDS_HERE(...) WORDS_UNSIZED((uintptr_t)heap, (uintptr_t)old, __VA_ARGS__)

HOOK(void *, mi_heap_realloc, void *heap, void *old, size_t bytes)
{
	return resizes_into_heap(NEXT(mi_heap_realloc, 0, 0), old,
		WORDS_HERE(bytes), false, false);
}

HOOK(void *, mi_heap_reallocn, void *heap, void *old, size_t count, size_t size)
{
	return resizes_into_heap(NEXT(mi_heap_reallocn, 0, 0), old,
		WORDS_HERE(count, size), false, false);
}

HOOK(void *, mi_heap_reallocf, void *heap, void *old, size_t bytes)
{
	return resizes_into_heap(NEXT(mi_heap_reallocf, 0, 0), old,
		WORDS_HERE(bytes), false, true);
}

HOOK(void *, mi_heap_rezalloc, void *heap, void *old, size_t bytes)
{
	return resizes_into_heap(NEXT(mi_heap_rezalloc, 0, 0), old,
		WORDS_HERE(bytes), true, false);
}

HOOK(void *, mi_heap_recalloc, void *heap, void *old, size_t count, size_t size)
{
	return resizes_into_heap(NEXT(mi_heap_recalloc, 0, 0), old,
		WORDS_HERE(count, size), true, false);
}

HOOK(void *, mi_heap_realloc_aligned, void *heap, void *old, size_t bytes,
	size_t alignment)
{
	return resizes_into_heap(NEXT(mi_heap_realloc_aligned, 0, 0), old,
		WORDS_HERE(bytes, alignment), false, false);
}

HOOK(void *, mi_heap_realloc_aligned_at, void *heap, void *old, size_t bytes,
	size_t alignment, size_t offset)
{
	return resizes_into_heap(NEXT(mi_heap_realloc_aligned_at, 0, 0), old,
		WORDS_HERE(bytes, alignment, offset), false, false);
}

HOOK(void *, mi_heap_rezalloc_aligned, void *heap, void *old, size_t bytes,
	size_t alignment)
{
	return resizes_into_heap(NEXT(mi_heap_rezalloc_aligned, 0, 0), old,
		WORDS_HERE(bytes, alignment), true, false);
}

HOOK(void *, mi_heap_rezalloc_aligned_at, void *heap, void *old, size_t bytes,
	size_t alignment, size_t offset)
{
	return resizes_into_heap(NEXT(mi_heap_rezalloc_aligned_at, 0, 0), old,
		WORDS_HERE(bytes, alignment, offset), true, false);
}

HOOK(void *, mi_heap_recalloc_aligned, void *heap, void *old, size_t count, size_t size,
	size_t alignment)
{
	return resizes_into_heap(NEXT(mi_heap_recalloc_aligned, 0, 0), old,
		WORDS_HERE(count, size, alignment), true, false);
}

HOOK(void *, mi_heap_recalloc_aligned_at, void *heap, void *old, size_t count,
	size_t size, size_t alignment, size_t offset)
{
	return resizes_into_heap(NEXT(mi_heap_recalloc_aligned_at, 0, 0), old,
		WORDS_HERE(count, size, alignment, offset), true, false);
}
