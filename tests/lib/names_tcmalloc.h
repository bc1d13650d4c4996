// tcmalloc's, for names.h.

#include <gperftools/tcmalloc.h>

// Which that header has for C++ alone.
void *tc_new(size_t bytes);
void *tc_newarray(size_t bytes);
void *tc_new_nothrow(size_t bytes, const void *nothrow);
void *tc_newarray_nothrow(size_t bytes, const void *nothrow);
void *tc_new_aligned(size_t bytes, size_t alignment);
void *tc_newarray_aligned(size_t bytes, size_t alignment);
void *tc_new_aligned_nothrow(size_t bytes, size_t alignment, const void *nothrow);
void *tc_newarray_aligned_nothrow(size_t bytes, size_t alignment, const void *nothrow);
void tc_delete(void *block);
void tc_deletearray(void *block);
void tc_delete_nothrow(void *block, const void *nothrow);
void tc_deletearray_nothrow(void *block, const void *nothrow);
void tc_delete_sized(void *block, size_t bytes);
void tc_deletearray_sized(void *block, size_t bytes);
void tc_delete_aligned(void *block, size_t alignment);
void tc_deletearray_aligned(void *block, size_t alignment);
void tc_delete_sized_aligned(void *block, size_t bytes, size_t alignment);
void tc_deletearray_sized_aligned(void *block, size_t bytes, size_t alignment);
void tc_delete_aligned_nothrow(void *block, size_t alignment, const void *nothrow);
void tc_deletearray_aligned_nothrow(void *block, size_t alignment, const void *nothrow);
size_t tc_nallocx(size_t bytes, int flags);
size_t nallocx(size_t bytes, int flags);

static void *
posix(size_t bytes, size_t alignment)
{
	void *block;
	return tc_posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

GIVE(tc_malloc, bytes)
GIVE(tc_malloc_skip_new_handler, bytes)
GIVE(tc_calloc, 1, bytes)
GIVE(tc_memalign, alignment, bytes)
GIVE(posix, bytes, alignment)
GIVE(tc_valloc, bytes)
GIVE(tc_pvalloc, bytes)
GIVE(tc_new, bytes)
GIVE(tc_newarray, bytes)
GIVE(tc_new_nothrow, bytes, "")
GIVE(tc_newarray_nothrow, bytes, "")
GIVE(tc_new_aligned, bytes, alignment)
GIVE(tc_newarray_aligned, bytes, alignment)
GIVE(tc_new_aligned_nothrow, bytes, alignment, "")
GIVE(tc_newarray_aligned_nothrow, bytes, alignment, "")
RESIZE(tc_realloc, old, bytes)
TAKE(tc_free, block)
TAKE(tc_cfree, block)
TAKE(tc_free_sized, block, bytes)
TAKE(tc_delete, block)
TAKE(tc_deletearray, block)
TAKE(tc_delete_nothrow, block, "")
TAKE(tc_deletearray_nothrow, block, "")
TAKE(tc_delete_sized, block, bytes)
TAKE(tc_deletearray_sized, block, bytes)
TAKE(tc_delete_aligned, block, alignment)
TAKE(tc_deletearray_aligned, block, alignment)
TAKE(tc_delete_sized_aligned, block, bytes, alignment)
TAKE(tc_deletearray_sized_aligned, block, bytes, alignment)
TAKE(tc_delete_aligned_nothrow, block, alignment, "")
TAKE(tc_deletearray_aligned_nothrow, block, alignment, "")
MEASURE(tc_malloc_size, block)

#define N(function) #function, give_##function
const struct give gives[] = {
	GIVES_OF_ALL,
	{N(tc_malloc), 0, false}, {N(tc_malloc_skip_new_handler), 0, false}, {N(tc_calloc), 0, true},
	{N(tc_memalign), ALIGNS, false}, {"tc_posix_memalign", give_posix, ALIGNS, false},
	{N(tc_valloc), PAGE, false}, {N(tc_pvalloc), PAGE, false}, {N(tc_new), 0, false},
	{N(tc_newarray), 0, false}, {N(tc_new_nothrow), 0, false}, {N(tc_newarray_nothrow), 0, false},
	{N(tc_new_aligned), ALIGNS, false}, {N(tc_newarray_aligned), ALIGNS, false},
	{N(tc_new_aligned_nothrow), ALIGNS, false}, {N(tc_newarray_aligned_nothrow), ALIGNS, false},
	{NULL, NULL, 0, false},
};

const struct resize resizes[] = {
	RESIZES_OF_ALL, {"tc_realloc", resize_tc_realloc, 0}, {NULL, NULL, 0},
};

#define T(function) #function, take_##function
const struct take takes[] = {
	TAKES_OF_ALL, {T(tc_free), false}, {T(tc_cfree), false}, {T(tc_free_sized), true},
	{T(tc_delete), false}, {T(tc_deletearray), false}, {T(tc_delete_nothrow), false},
	{T(tc_deletearray_nothrow), false}, {T(tc_delete_sized), true},
	{T(tc_deletearray_sized), true}, {T(tc_delete_aligned), false},
	{T(tc_deletearray_aligned), false}, {T(tc_delete_sized_aligned), false},
	{T(tc_deletearray_sized_aligned), false}, {T(tc_delete_aligned_nothrow), false},
	{T(tc_deletearray_aligned_nothrow), false}, {NULL, NULL, false},
};

const struct measure measures[] = {
	MEASURES_OF_ALL, {"tc_malloc_size", measure_tc_malloc_size}, {NULL, NULL},
};
