// tcmalloc's own functions (gperftools, tcmalloc.h): malloc()'s family and C++'s
// operators under other names, often at the same addresses.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "real.h"
#include "tag.h"
#include "record.h"
#include "hook.h"
#include "entry.h"

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

ENTRY_GIVES(tc_malloc, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), malloc(bytes));

ENTRY_GIVES(tc_malloc_skip_new_handler, (size_t bytes), (bytes),
	bytes, 0, next(bytes + room), malloc(bytes));

ENTRY_GIVES(tc_calloc, (size_t count, size_t size), (count, size),
	entry_product(count, size), 0, next(1, wanted + room), calloc(count, size));

ENTRY_GIVES(tc_memalign, (size_t alignment, size_t bytes), (alignment, bytes),
	bytes, alignment, next(alignment, bytes + room), aligned_alloc(alignment, bytes));

ENTRY_GIVES(tc_valloc, (size_t bytes), (bytes),
	bytes, entry_page(), next(bytes + room), valloc(bytes));

ENTRY_GIVES(tc_pvalloc, (size_t bytes), (bytes),
	entry_pages_wanted(bytes), entry_page(), next(entry_pages(bytes) + room), pvalloc(bytes));

ENTRY_ALIGNS(tc_posix_memalign);

ENTRY_REALLOCS(tc_realloc, (void *old, size_t bytes), (old, bytes),
	bytes, realloc(old, bytes));

ENTRY_TAKES(tc_free, (void *block), (block), unsized);
ENTRY_TAKES(tc_cfree, (void *block), (block), unsized);
ENTRY_TAKES(tc_free_sized, (void *block, size_t bytes), (block, bytes), bytes);

ENTRY_MEASURES(tc_malloc_size, (void *block), (block));
ENTRY_FORETELLS(tc_nallocx, (size_t bytes, int flags), (bytes, flags),
	next(bytes + TAG_BYTES, flags));

// malloc_extension_c.h. What a C++ program asks by MallocExtension::instance() never comes by.
ENTRY_MEASURES(MallocExtension_GetAllocatedSize, (void *block), (block));
ENTRY_FORETELLS(MallocExtension_GetEstimatedAllocatedSize, (size_t bytes), (bytes),
	next(bytes + TAG_BYTES));

// The operators, of one object and of an array.
#define NEW(function) \
	ENTRY_GIVES(function, (size_t bytes), (bytes), bytes, 0, next(bytes + room), _Znwm(bytes))
#define NEW_NOTHROW(function) \
	ENTRY_GIVES(function, (size_t bytes, const void *nothrow), (bytes, nothrow), bytes, 0, \
		next(bytes + room, nothrow), malloc(bytes))
#define NEW_ALIGNED(function) \
	ENTRY_GIVES(function, (size_t bytes, size_t alignment), (bytes, alignment), \
		bytes, alignment, next(bytes + room, alignment), _ZnwmSt11align_val_t(bytes, alignment))
#define NEW_ALIGNED_NOTHROW(function) \
	ENTRY_GIVES(function, (size_t bytes, size_t alignment, const void *nothrow), \
		(bytes, alignment, nothrow), bytes, alignment, \
		next(bytes + room, alignment, nothrow), aligned_alloc(alignment, bytes))

NEW(tc_new);
NEW(tc_newarray);
NEW_NOTHROW(tc_new_nothrow);
NEW_NOTHROW(tc_newarray_nothrow);
NEW_ALIGNED(tc_new_aligned);
NEW_ALIGNED(tc_newarray_aligned);
NEW_ALIGNED_NOTHROW(tc_new_aligned_nothrow);
NEW_ALIGNED_NOTHROW(tc_newarray_aligned_nothrow);

#define DELETE(function) ENTRY_TAKES(function, (void *block), (block), unsized)
#define DELETE_SIZED(function) \
	ENTRY_TAKES(function, (void *block, size_t bytes), (block, bytes), bytes)
#define DELETE_NOTHROW(function) \
	ENTRY_TAKES(function, (void *block, const void *nothrow), (block, nothrow), unsized)
#define DELETE_ALIGNED(function) \
	ENTRY_TAKES(function, (void *block, size_t alignment), (block, alignment), unsized)
#define DELETE_SIZED_ALIGNED(function) \
	ENTRY_TAKES(function, (void *block, size_t bytes, size_t alignment), \
		(block, bytes, alignment), bytes)
#define DELETE_ALIGNED_NOTHROW(function) \
	ENTRY_TAKES(function, (void *block, size_t alignment, const void *nothrow), \
		(block, alignment, nothrow), unsized)

DELETE(tc_delete);
DELETE(tc_deletearray);
DELETE_SIZED(tc_delete_sized);
DELETE_SIZED(tc_deletearray_sized);
DELETE_NOTHROW(tc_delete_nothrow);
DELETE_NOTHROW(tc_deletearray_nothrow);
DELETE_ALIGNED(tc_delete_aligned);
DELETE_ALIGNED(tc_deletearray_aligned);
DELETE_SIZED_ALIGNED(tc_delete_sized_aligned);
DELETE_SIZED_ALIGNED(tc_deletearray_sized_aligned);
DELETE_ALIGNED_NOTHROW(tc_delete_aligned_nothrow);
DELETE_ALIGNED_NOTHROW(tc_deletearray_aligned_nothrow);
