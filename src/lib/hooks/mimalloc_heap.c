// Blocks of a program's own heaps in mimalloc bear no tag: mi_heap_destroy() frees them
// all at once, and tells nobody. A block of ours that is resized into such a heap is no
// longer one.

#include <stddef.h>
#include <stdint.h>

#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"
#include "entry.h"

// `frees` says that a block is freed where there is no room for a larger one.
#define HEAP_RESIZES(function, parameters, arguments, zeroes, frees) \
	static void *hook_##function parameters \
	{ \
		ENTRY_CALL(function, 0); \
		void *(*next) parameters = (void *(*) parameters)code; \
		struct taken taken = {.was = TAG_NONE}; \
		if (!next) \
			return NULL; \
		if (on && old && !boot_owns(old)) \
			entry_take(old, &taken); \
		if (taken.was < TAG_MENDED) \
			return next arguments; \
		uintptr_t outer = real_enter(call.at.frame.sp); \
		void *block = next arguments; \
		real_leave(outer); \
		if (!block && !(frees)) { \
			record_stays(&taken); \
			return NULL; \
		} \
		if (block && (zeroes)) \
			entry_zero_ours(block, &taken); \
		entry_gone(&taken, &call); \
		return block; \
	} \
	EXPORT(function, hook_##function)

HEAP_RESIZES(mi_heap_realloc, (void *heap, void *old, size_t bytes), (heap, old, bytes),
	false, false);
HEAP_RESIZES(mi_heap_reallocn, (void *heap, void *old, size_t count, size_t size),
	(heap, old, count, size), false, false);
HEAP_RESIZES(mi_heap_reallocf, (void *heap, void *old, size_t bytes), (heap, old, bytes),
	false, true);
HEAP_RESIZES(mi_heap_rezalloc, (void *heap, void *old, size_t bytes), (heap, old, bytes),
	true, false);
HEAP_RESIZES(mi_heap_recalloc, (void *heap, void *old, size_t count, size_t size),
	(heap, old, count, size), true, false);
HEAP_RESIZES(mi_heap_realloc_aligned,
	(void *heap, void *old, size_t bytes, size_t alignment),
	(heap, old, bytes, alignment), false, false);
HEAP_RESIZES(mi_heap_realloc_aligned_at,
	(void *heap, void *old, size_t bytes, size_t alignment, size_t offset),
	(heap, old, bytes, alignment, offset), false, false);
HEAP_RESIZES(mi_heap_rezalloc_aligned,
	(void *heap, void *old, size_t bytes, size_t alignment),
	(heap, old, bytes, alignment), true, false);
HEAP_RESIZES(mi_heap_rezalloc_aligned_at,
	(void *heap, void *old, size_t bytes, size_t alignment, size_t offset),
	(heap, old, bytes, alignment, offset), true, false);
HEAP_RESIZES(mi_heap_recalloc_aligned,
	(void *heap, void *old, size_t count, size_t size, size_t alignment),
	(heap, old, count, size, alignment), true, false);
HEAP_RESIZES(mi_heap_recalloc_aligned_at,
	(void *heap, void *old, size_t count, size_t size, size_t alignment, size_t offset),
	(heap, old, count, size, alignment, offset), true, false);
