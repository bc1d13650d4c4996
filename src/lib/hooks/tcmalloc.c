// SPDX-License-Identifier: BSD-2-Clause
// tcmalloc's own functions (gperftools, tcmalloc.h): malloc()'s family and C++'s
// operators under other names, often at the same addresses.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "heap/real.h"
#include "base/tag.h"
#include "hooks/record.h"
#include "hooks/hook.h"
#include "hooks/extension.h"

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

HOOK(void *, tc_malloc, size_t bytes)
{
	return extension_gives(NEXT(tc_malloc, malloc, 0), WORDS(bytes));
}

HOOK(void *, tc_malloc_skip_new_handler, size_t bytes)
{
	return extension_gives(NEXT(tc_malloc_skip_new_handler, malloc, 0), WORDS(bytes));
}

HOOK(void *, tc_calloc, size_t count, size_t size)
{
	return extension_gives(NEXT(tc_calloc, calloc, 0), WORDS_COUNTED(count, size));
}

HOOK(void *, tc_memalign, size_t alignment, size_t bytes)
{
	return extension_gives(NEXT(tc_memalign, aligned_alloc, alignment),
		WORDS_SIZE_LAST(alignment, bytes));
}

HOOK(void *, tc_valloc, size_t bytes)
{
	return extension_gives(NEXT(tc_valloc, valloc, extension_page()), WORDS(bytes));
}

HOOK(void *, tc_pvalloc, size_t bytes)
{
	return extension_gives_pages(NEXT(tc_pvalloc, pvalloc, extension_page()), bytes);
}

HOOK(int, tc_posix_memalign, void **block, size_t alignment, size_t bytes)
{
	return extension_aligns(NEXT(tc_posix_memalign, 0, alignment),
		block, alignment, bytes);
}

HOOK(void *, tc_realloc, void *old, size_t bytes)
{
	return extension_reallocs(NEXT(tc_realloc, realloc, 0), old, WORDS(bytes));
}

HOOK(void, tc_free, void *block)
{
	extension_takes(NEXT(tc_free, 0, 0), block, WORDS_UNSIZED());
}

HOOK(void, tc_cfree, void *block)
{
	extension_takes(NEXT(tc_cfree, 0, 0), block, WORDS_UNSIZED());
}

HOOK(void, tc_free_sized, void *block, size_t bytes)
{
	extension_takes(NEXT(tc_free_sized, 0, 0), block, WORDS(bytes));
}

HOOK(size_t, tc_malloc_size, void *block)
{
	return extension_measures(NEXT(tc_malloc_size, 0, 0), block, WORDS_UNSIZED());
}

HOOK(size_t, tc_nallocx, size_t bytes, int flags)
{
	return extension_foretells(NEXT(tc_nallocx, 0, 0), WORDS(bytes, flags));
}

// malloc_extension_c.h.
HOOK(size_t, MallocExtension_GetAllocatedSize, void *block)
{
	return extension_measures(NEXT(MallocExtension_GetAllocatedSize, 0, 0),
		block, WORDS_UNSIZED());
}

HOOK(size_t, MallocExtension_GetEstimatedAllocatedSize, size_t bytes)
{
	return extension_foretells(NEXT(MallocExtension_GetEstimatedAllocatedSize, 0, 0),
		WORDS(bytes));
}

// What a C++ program asks by MallocExtension::instance(): methods of that class, to which its table of
// virtual functions refers by their names.
HOOK(size_t, _ZN22TCMallocImplementation16GetAllocatedSizeEPKv, void *instance, void *block)
{
	return extension_measures_by(
		NEXT(_ZN22TCMallocImplementation16GetAllocatedSizeEPKv, 0, 0), block,
		WORDS_UNSIZED((uintptr_t)instance, (uintptr_t)block));
}

HOOK(size_t, _ZN22TCMallocImplementation25GetEstimatedAllocatedSizeEm, void *instance,
	size_t bytes)
{
	return extension_foretells(
		NEXT(_ZN22TCMallocImplementation25GetEstimatedAllocatedSizeEm, 0, 0),
		WORDS_SIZE_LAST((uintptr_t)instance, bytes));
}

// The operators, of one object and of an array.
HOOK(void *, tc_new, size_t bytes)
{
	return extension_gives(NEXT(tc_new, _Znwm, 0), WORDS(bytes));
}

HOOK(void *, tc_newarray, size_t bytes)
{
	return extension_gives(NEXT(tc_newarray, _Znwm, 0), WORDS(bytes));
}

HOOK(void *, tc_new_nothrow, size_t bytes, const void *nothrow)
{
	return extension_gives(NEXT(tc_new_nothrow, malloc, 0),
		WORDS(bytes, (uintptr_t)nothrow));
}

HOOK(void *, tc_newarray_nothrow, size_t bytes, const void *nothrow)
{
	return extension_gives(NEXT(tc_newarray_nothrow, malloc, 0),
		WORDS(bytes, (uintptr_t)nothrow));
}

HOOK(void *, tc_new_aligned, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(tc_new_aligned, _ZnwmSt11align_val_t, alignment),
		WORDS(bytes, alignment));
}

HOOK(void *, tc_newarray_aligned, size_t bytes, size_t alignment)
{
	return extension_gives(NEXT(tc_newarray_aligned, _ZnwmSt11align_val_t, alignment),
		WORDS(bytes, alignment));
}

HOOK(void *, tc_new_aligned_nothrow, size_t bytes, size_t alignment, const void *nothrow)
{
	return extension_gives(NEXT(tc_new_aligned_nothrow, extension_aligned, alignment),
		WORDS(bytes, alignment, (uintptr_t)nothrow));
}

HOOK(void *, tc_newarray_aligned_nothrow, size_t bytes, size_t alignment,
	const void *nothrow)
{
	return extension_gives(NEXT(tc_newarray_aligned_nothrow, extension_aligned, alignment),
		WORDS(bytes, alignment, (uintptr_t)nothrow));
}

HOOK(void, tc_delete, void *block)
{
	extension_takes(NEXT(tc_delete, 0, 0), block, WORDS_UNSIZED());
}

HOOK(void, tc_deletearray, void *block)
{
	extension_takes(NEXT(tc_deletearray, 0, 0), block, WORDS_UNSIZED());
}

HOOK(void, tc_delete_sized, void *block, size_t bytes)
{
	extension_takes(NEXT(tc_delete_sized, 0, 0), block, WORDS(bytes));
}

HOOK(void, tc_deletearray_sized, void *block, size_t bytes)
{
	extension_takes(NEXT(tc_deletearray_sized, 0, 0), block, WORDS(bytes));
}

HOOK(void, tc_delete_nothrow, void *block, const void *nothrow)
{
	extension_takes(NEXT(tc_delete_nothrow, 0, 0),
		block, WORDS_UNSIZED((uintptr_t)nothrow));
}

HOOK(void, tc_deletearray_nothrow, void *block, const void *nothrow)
{
	extension_takes(NEXT(tc_deletearray_nothrow, 0, 0),
		block, WORDS_UNSIZED((uintptr_t)nothrow));
}

HOOK(void, tc_delete_aligned, void *block, size_t alignment)
{
	extension_takes(NEXT(tc_delete_aligned, 0, 0), block, WORDS_UNSIZED(alignment));
}

HOOK(void, tc_deletearray_aligned, void *block, size_t alignment)
{
	extension_takes(NEXT(tc_deletearray_aligned, 0, 0),
		block, WORDS_UNSIZED(alignment));
}

HOOK(void, tc_delete_sized_aligned, void *block, size_t bytes, size_t alignment)
{
	extension_takes(NEXT(tc_delete_sized_aligned, 0, 0),
		block, WORDS(bytes, alignment));
}

HOOK(void, tc_deletearray_sized_aligned, void *block, size_t bytes, size_t alignment)
{
	extension_takes(NEXT(tc_deletearray_sized_aligned, 0, 0),
		block, WORDS(bytes, alignment));
}

HOOK(void, tc_delete_aligned_nothrow, void *block, size_t alignment, const void *nothrow)
{
	extension_takes(NEXT(tc_delete_aligned_nothrow, 0, 0),
		block, WORDS_UNSIZED(alignment, (uintptr_t)nothrow));
}

HOOK(void, tc_deletearray_aligned_nothrow, void *block, size_t alignment,
	const void *nothrow)
{
	extension_takes(NEXT(tc_deletearray_aligned_nothrow, 0, 0),
		block, WORDS_UNSIZED(alignment, (uintptr_t)nothrow));
}
