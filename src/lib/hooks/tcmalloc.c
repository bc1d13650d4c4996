// SPDX-License-Identifier: BSD-2-Clause
// tcmalloc: hooks for tcmalloc's own functions (gperftools, tcmalloc.h). They do what malloc()'s
// family and C++'s operators do, often at the same addresses.

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "hooks/extension.h"
#include "hooks/extension_row.h"

void *_Znwm(size_t bytes);
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment);

GIVES(tc_malloc, BYTES, malloc, 0)
GIVES(tc_malloc_skip_new_handler, BYTES, malloc, 0)
GIVES(tc_calloc, COUNT_SIZE, extension_zeroed, 0)
GIVES(tc_memalign, ALIGNMENT_BYTES, aligned_alloc, alignment)
GIVES(tc_valloc, BYTES, valloc, extension_page())
GIVES_PAGES(tc_pvalloc)
ALIGNS(tc_posix_memalign, alignment)
REALLOCS(tc_realloc, BYTES, realloc)
TAKES(tc_free, NOTHING)
TAKES(tc_cfree, NOTHING)
TAKES(tc_free_sized, BYTES)
MEASURES(tc_malloc_size, NOTHING)
FORETELLS(tc_nallocx, BYTES_FLAGS, 0)

// Functions of malloc_extension_c.h.
MEASURES(MallocExtension_GetAllocatedSize, NOTHING)
FORETELLS(MallocExtension_GetEstimatedAllocatedSize, BYTES, 0)

// Methods that a C++ program calls on MallocExtension::instance(). The class's table of virtual
// functions refers to them by name, so our hooks get these calls.
FORETELLS(_ZN22TCMallocImplementation25GetEstimatedAllocatedSizeEm, INSTANCE_BYTES, 0)
HOOK(size_t, _ZN22TCMallocImplementation16GetAllocatedSizeEPKv, void *instance, void *block)
{
	return extension_measures_by(
		NEXT(_ZN22TCMallocImplementation16GetAllocatedSizeEPKv, 0, 0), block,
		WORDS_UNSIZED((uintptr_t)instance, (uintptr_t)block));
}

// The operators new and delete, for one object and for an array.
GIVES(tc_new, BYTES, _Znwm, 0)
GIVES(tc_newarray, BYTES, _Znwm, 0)
GIVES(tc_new_nothrow, BYTES_NOTHROW, malloc, 0)
GIVES(tc_newarray_nothrow, BYTES_NOTHROW, malloc, 0)
GIVES(tc_new_aligned, BYTES_ALIGNMENT, _ZnwmSt11align_val_t, alignment)
GIVES(tc_newarray_aligned, BYTES_ALIGNMENT, _ZnwmSt11align_val_t, alignment)
GIVES(tc_new_aligned_nothrow, BYTES_ALIGNMENT_NOTHROW, extension_aligned, alignment)
GIVES(tc_newarray_aligned_nothrow, BYTES_ALIGNMENT_NOTHROW, extension_aligned, alignment)
TAKES(tc_delete, NOTHING)
TAKES(tc_deletearray, NOTHING)
TAKES(tc_delete_sized, BYTES)
TAKES(tc_deletearray_sized, BYTES)
TAKES(tc_delete_nothrow, NOTHROW)
TAKES(tc_deletearray_nothrow, NOTHROW)
TAKES(tc_delete_aligned, ALIGNMENT)
TAKES(tc_deletearray_aligned, ALIGNMENT)
TAKES(tc_delete_sized_aligned, BYTES_ALIGNMENT)
TAKES(tc_deletearray_sized_aligned, BYTES_ALIGNMENT)
TAKES(tc_delete_aligned_nothrow, ALIGNMENT_NOTHROW)
TAKES(tc_deletearray_aligned_nothrow, ALIGNMENT_NOTHROW)
