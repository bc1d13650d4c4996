// SPDX-License-Identifier: BSD-2-Clause
// mimalloc's functions that allocate at an alignment, or so that what lies `offset` bytes
// into the block is aligned. The alignment comes last in all but those that others have,
// too.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "heap/real.h"
#include "base/tag.h"
#include "hooks/record.h"
#include "hooks/hook.h"
#include "hooks/extension.h"

// What does the same where nobody has mimalloc's. Nobody else could align at an offset.

static void *
aligned_at(size_t bytes, size_t alignment, size_t offset)
{
	return offset ? NULL : extension_aligned(bytes, alignment);
}

static __attribute__((noinline)) void *
zeroed(size_t bytes, size_t alignment)
{
	void *block = extension_aligned(bytes, alignment);
	return block ? memset(block, 0, malloc_usable_size(block)) : NULL;
}

static void *
zeroed_at(size_t bytes, size_t alignment, size_t offset)
{
	return offset ? NULL : zeroed(bytes, alignment);
}

static void *
array_zeroed(size_t count, size_t size, size_t alignment)
{
	return zeroed(extension_product(count, size), alignment);
}

static void *
array_zeroed_at(size_t count, size_t size, size_t alignment, size_t offset)
{
	return zeroed_at(extension_product(count, size), alignment, offset);
}

static void *
grown_at(void *old, size_t bytes, size_t alignment, size_t offset)
{
	return offset ? NULL : extension_grown(old, bytes, alignment);
}

static void *
array_grown(void *old, size_t count, size_t size, size_t alignment)
{
	return extension_grown(old, extension_product(count, size), alignment);
}

static void *
array_grown_at(void *old, size_t count, size_t size, size_t alignment, size_t offset)
{
	return grown_at(old, extension_product(count, size), alignment, offset);
}

HOOK(void *, mi_malloc_aligned, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(mi_malloc_aligned, extension_aligned, given(alignment)),
		WORDS(bytes, alignment));
}

HOOK(void *, mi_malloc_aligned_at, size_t bytes, size_t alignment, size_t offset)
{
	return extension_gives(NEXT(mi_malloc_aligned_at, aligned_at, 0),
		WORDS(bytes, alignment, offset));
}

HOOK(void *, mi_zalloc_aligned, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(mi_zalloc_aligned, zeroed, given(alignment)),
		WORDS(bytes, alignment));
}

HOOK(void *, mi_zalloc_aligned_at, size_t bytes, size_t alignment, size_t offset)
{
	return extension_gives(NEXT(mi_zalloc_aligned_at, zeroed_at, 0),
		WORDS(bytes, alignment, offset));
}

HOOK(void *, mi_calloc_aligned, size_t count, size_t size, size_t alignment)
{
	return extension_gives(NEXT(mi_calloc_aligned, array_zeroed, given(alignment)),
		WORDS_COUNTED(count, size, alignment));
}

HOOK(void *, mi_calloc_aligned_at, size_t count, size_t size, size_t alignment,
	size_t offset)
{
	return extension_gives(NEXT(mi_calloc_aligned_at, array_zeroed_at, 0),
		WORDS_COUNTED(count, size, alignment, offset));
}

HOOK(void *, mi_memalign, size_t alignment, size_t bytes)
{
	return extension_gives(NEXT(mi_memalign, aligned_alloc, given(alignment)),
		WORDS_SIZE_LAST(alignment, bytes));
}

HOOK(void *, mi_aligned_alloc, size_t alignment, size_t bytes)
{
	return extension_gives(NEXT(mi_aligned_alloc, aligned_alloc, given(alignment)),
		WORDS_SIZE_LAST(alignment, bytes));
}

HOOK(int, mi_posix_memalign, void **block, size_t alignment, size_t bytes)
{
	return extension_aligns(NEXT(mi_posix_memalign, 0, given(alignment)),
		block, alignment, bytes);
}

HOOK(void *, mi_valloc, size_t bytes)
{
	return extension_gives(NEXT(mi_valloc, valloc, extension_page()), WORDS(bytes));
}

HOOK(void *, mi_pvalloc, size_t bytes)
{
	return extension_gives_pages(NEXT(mi_pvalloc, pvalloc, extension_page()), bytes);
}

HOOK(void *, mi_realloc_aligned, void *old, size_t bytes, size_t alignment)
{
	return extension_resizes(NEXT(mi_realloc_aligned, extension_grown, given(alignment)),
		old, WORDS(bytes, alignment), false);
}

HOOK(void *, mi_realloc_aligned_at, void *old, size_t bytes, size_t alignment,
	size_t offset)
{
	return extension_resizes(NEXT(mi_realloc_aligned_at, grown_at, 0),
		old, WORDS(bytes, alignment, offset), false);
}

HOOK(void *, mi_rezalloc_aligned, void *old, size_t bytes, size_t alignment)
{
	return extension_resizes(NEXT(mi_rezalloc_aligned, extension_grown, given(alignment)),
		old, WORDS(bytes, alignment), true);
}

HOOK(void *, mi_rezalloc_aligned_at, void *old, size_t bytes, size_t alignment,
	size_t offset)
{
	return extension_resizes(NEXT(mi_rezalloc_aligned_at, grown_at, 0),
		old, WORDS(bytes, alignment, offset), true);
}

HOOK(void *, mi_recalloc_aligned, void *old, size_t count, size_t size, size_t alignment)
{
	return extension_resizes(NEXT(mi_recalloc_aligned, array_grown, given(alignment)),
		old, WORDS_COUNTED(count, size, alignment), true);
}

HOOK(void *, mi_recalloc_aligned_at, void *old, size_t count, size_t size,
	size_t alignment, size_t offset)
{
	return extension_resizes(NEXT(mi_recalloc_aligned_at, array_grown_at, 0),
		old, WORDS_COUNTED(count, size, alignment, offset), true);
}
