// mimalloc's, for names.h.

#include <mimalloc.h>

int mi_reallocarr(void *at, size_t count, size_t size);
int reallocarr(void *at, size_t count, size_t size);
void *reallocf(void *old, size_t bytes);

enum { OFFSET = 24 };

static void *
posix(size_t bytes, size_t alignment)
{
	void *block;
	return mi_posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

// As large as their limit lets them be.
static void *
small(size_t bytes)
{
	return bytes > MI_SMALL_SIZE_MAX ? mi_malloc(bytes) : mi_malloc_small(bytes);
}

static void *
small_zeroed(size_t bytes)
{
	return bytes > MI_SMALL_SIZE_MAX ? mi_zalloc(bytes) : mi_zalloc_small(bytes);
}

static void *
text_counted(size_t bytes)
{
	char *from = memset(malloc(bytes), 'x', bytes);
	char *copy = mi_strndup(from, bytes - 1);
	free(from);
	return copy;
}

static void *
text(size_t bytes)
{
	char *from = text_counted(bytes);
	char *copy = mi_strdup(from);
	free(from);
	return copy;
}

static void *
resize_mi_reallocarr(void *old, size_t bytes)
{
	return mi_reallocarr(&old, bytes, 1) == 0 ? old : NULL;
}

static void *
resize_reallocarr(void *old, size_t bytes)
{
	return reallocarr(&old, bytes, 1) == 0 ? old : NULL;
}

static void *
in_place(void *old, size_t bytes)
{
	return mi_expand(old, bytes) ? old : mi_realloc(old, bytes);
}

GIVE(mi_malloc, bytes)
GIVE(mi_zalloc, bytes)
GIVE(mi_calloc, 1, bytes)
GIVE(mi_mallocn, 1, bytes)
GIVE(small, bytes)
GIVE(small_zeroed, bytes)
GIVE(mi_new, bytes)
GIVE(mi_new_n, 1, bytes)
GIVE(mi_new_nothrow, bytes)
GIVE(mi_new_aligned, bytes, alignment)
GIVE(mi_new_aligned_nothrow, bytes, alignment)
GIVE(text, bytes)
GIVE(text_counted, bytes)
GIVE(mi_malloc_aligned, bytes, alignment)
GIVE(mi_malloc_aligned_at, bytes, 64, OFFSET)
GIVE(mi_zalloc_aligned, bytes, alignment)
GIVE(mi_zalloc_aligned_at, bytes, 64, OFFSET)
GIVE(mi_calloc_aligned, 1, bytes, alignment)
GIVE(mi_calloc_aligned_at, 1, bytes, 64, OFFSET)
GIVE(mi_memalign, alignment, bytes)
GIVE(mi_aligned_alloc, alignment, bytes)
GIVE(posix, bytes, alignment)
GIVE(mi_valloc, bytes)
GIVE(mi_pvalloc, bytes)
RESIZE(mi_realloc, old, bytes)
RESIZE(mi_reallocn, old, bytes, 1)
RESIZE(mi_reallocarray, old, bytes, 1)
RESIZE(mi_reallocf, old, bytes)
RESIZE(reallocf, old, bytes)
RESIZE(mi_rezalloc, old, bytes)
RESIZE(mi_recalloc, old, bytes, 1)
RESIZE(mi_new_realloc, old, bytes)
RESIZE(mi_new_reallocn, old, bytes, 1)
RESIZE(mi_realloc_aligned, old, bytes, 64)
RESIZE(mi_realloc_aligned_at, old, bytes, 64, OFFSET)
RESIZE(mi_rezalloc_aligned, old, bytes, 64)
RESIZE(mi_rezalloc_aligned_at, old, bytes, 64, OFFSET)
RESIZE(mi_recalloc_aligned, old, bytes, 1, 64)
RESIZE(mi_recalloc_aligned_at, old, bytes, 1, 64, OFFSET)
RESIZE(in_place, old, bytes)
TAKE(mi_free, block)
TAKE(mi_cfree, block)
TAKE(mi_free_size, block, bytes)
TAKE(mi_free_aligned, block, alignment)
TAKE(mi_free_size_aligned, block, bytes, alignment)
MEASURE(mi_usable_size, block)
MEASURE(mi_malloc_size, block)
MEASURE(mi_malloc_usable_size, block)


#define N(function) #function, give_##function
const struct give gives[] = {
	GIVES_OF_ALL, {N(mi_malloc), 0, false}, {N(mi_zalloc), 0, true}, {N(mi_calloc), 0, true},
	{N(mi_mallocn), 0, false}, {"", give_small, 0, false}, {"", give_small_zeroed, 0, true},
	{N(mi_new), 0, false},
	{N(mi_new_n), 0, false}, {N(mi_new_nothrow), 0, false}, {N(mi_new_aligned), ALIGNS, false},
	{N(mi_new_aligned_nothrow), ALIGNS, false}, {"", give_text, 0, false},
	{"", give_text_counted, 0, false},
	{N(mi_malloc_aligned), ALIGNS, false}, {N(mi_malloc_aligned_at), 0, false},
	{N(mi_zalloc_aligned), ALIGNS, true}, {N(mi_zalloc_aligned_at), 0, true},
	{N(mi_calloc_aligned), ALIGNS, true}, {N(mi_calloc_aligned_at), 0, true},
	{N(mi_memalign), ALIGNS, false}, {N(mi_aligned_alloc), ALIGNS, false},
	{"mi_posix_memalign", give_posix, ALIGNS, false}, {N(mi_valloc), PAGE, false},
	{N(mi_pvalloc), PAGE, false}, {NULL, NULL, 0, false},
};

#define R(function) {#function, resize_##function, 0}
const struct resize resizes[] = {
	RESIZES_OF_ALL, R(mi_realloc), R(mi_reallocn), R(mi_reallocarray), R(mi_reallocarr),
	R(reallocarr), R(mi_reallocf), R(reallocf), R(mi_rezalloc), R(mi_recalloc),
	R(mi_new_realloc), R(mi_new_reallocn), R(mi_realloc_aligned),
	R(mi_realloc_aligned_at), R(mi_rezalloc_aligned), R(mi_rezalloc_aligned_at),
	R(mi_recalloc_aligned), R(mi_recalloc_aligned_at), {"", resize_in_place, 0}, {NULL, NULL, 0},
};

#define T(function) #function, take_##function
const struct take takes[] = {
	TAKES_OF_ALL, {T(mi_free), false}, {T(mi_cfree), false}, {T(mi_free_size), false},
	{T(mi_free_aligned), false}, {T(mi_free_size_aligned), false}, {NULL, NULL, false},
};

#define M(function) {#function, measure_##function}
const struct measure measures[] = {
	MEASURES_OF_ALL, M(mi_usable_size), M(mi_malloc_size), M(mi_malloc_usable_size), {NULL, NULL},
};
