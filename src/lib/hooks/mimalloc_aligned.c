// mimalloc's functions that allocate at an alignment, or so that what lies `offset` bytes
// into the block is aligned. The alignment comes last in all but those that others have,
// too.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"
#include "entry.h"

// Without mimalloc there is nobody who could align at an offset.
static __attribute__((noinline)) void *
zeroed(size_t bytes, size_t alignment)
{
	void *block = aligned_alloc(alignment, bytes);
	return block ? memset(block, 0, malloc_usable_size(block)) : NULL;
}

ENTRY_GIVES(mi_malloc_aligned, (size_t bytes, size_t alignment), (bytes, alignment),
	bytes, alignment, next(bytes + room, alignment), aligned_alloc(alignment, bytes));
ENTRY_GIVES(mi_malloc_aligned_at, (size_t bytes, size_t alignment, size_t offset),
	(bytes, alignment, offset), bytes, 0, next(bytes + room, alignment, offset),
	offset ? NULL : aligned_alloc(alignment, bytes));
ENTRY_GIVES(mi_zalloc_aligned, (size_t bytes, size_t alignment), (bytes, alignment),
	bytes, alignment, next(bytes + room, alignment), zeroed(bytes, alignment));
ENTRY_GIVES(mi_zalloc_aligned_at, (size_t bytes, size_t alignment, size_t offset),
	(bytes, alignment, offset), bytes, 0, next(bytes + room, alignment, offset),
	offset ? NULL : zeroed(bytes, alignment));
ENTRY_GIVES(mi_calloc_aligned, (size_t count, size_t size, size_t alignment),
	(count, size, alignment), entry_product(count, size), alignment,
	next(1, wanted + room, alignment), zeroed(wanted, alignment));
ENTRY_GIVES(mi_calloc_aligned_at,
	(size_t count, size_t size, size_t alignment, size_t offset),
	(count, size, alignment, offset), entry_product(count, size), 0,
	next(1, wanted + room, alignment, offset), offset ? NULL : zeroed(wanted, alignment));

ENTRY_GIVES(mi_memalign, (size_t alignment, size_t bytes), (alignment, bytes),
	bytes, alignment, next(alignment, bytes + room), aligned_alloc(alignment, bytes));
ENTRY_GIVES(mi_aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes),
	bytes, alignment, next(alignment, bytes + room), aligned_alloc(alignment, bytes));
ENTRY_ALIGNS(mi_posix_memalign);

ENTRY_GIVES(mi_valloc, (size_t bytes), (bytes),
	bytes, entry_page(), next(bytes + room), valloc(bytes));
ENTRY_GIVES(mi_pvalloc, (size_t bytes), (bytes),
	entry_pages_wanted(bytes), entry_page(), next(entry_pages(bytes) + room), pvalloc(bytes));

ENTRY_RESIZES(mi_realloc_aligned, (void *old, size_t bytes, size_t alignment),
	(old, bytes, alignment), bytes, alignment, next(old, bytes + room, alignment), false,
	entry_grown(old, bytes, alignment));
ENTRY_RESIZES(mi_realloc_aligned_at,
	(void *old, size_t bytes, size_t alignment, size_t offset),
	(old, bytes, alignment, offset), bytes, 0,
	next(old, bytes + room, alignment, offset), false,
	offset ? NULL : entry_grown(old, bytes, alignment));
ENTRY_RESIZES(mi_rezalloc_aligned, (void *old, size_t bytes, size_t alignment),
	(old, bytes, alignment), bytes, alignment, next(old, bytes + room, alignment), true,
	entry_grown(old, bytes, alignment));
ENTRY_RESIZES(mi_rezalloc_aligned_at,
	(void *old, size_t bytes, size_t alignment, size_t offset),
	(old, bytes, alignment, offset), bytes, 0,
	next(old, bytes + room, alignment, offset), true,
	offset ? NULL : entry_grown(old, bytes, alignment));
ENTRY_RESIZES(mi_recalloc_aligned, (void *old, size_t count, size_t size, size_t alignment),
	(old, count, size, alignment), entry_product(count, size), alignment,
	next(old, 1, wanted + room, alignment), true, entry_grown(old, wanted, alignment));
ENTRY_RESIZES(mi_recalloc_aligned_at,
	(void *old, size_t count, size_t size, size_t alignment, size_t offset),
	(old, count, size, alignment, offset), entry_product(count, size), 0,
	next(old, 1, wanted + room, alignment, offset), true,
	offset ? NULL : entry_grown(old, wanted, alignment));
