// jemalloc's, for names.h.

#include <jemalloc/jemalloc.h>

static int
flags_for(size_t alignment)
{
	return alignment > 0 ? MALLOCX_ALIGN(alignment) : 0;
}

static void *
mallocx_zeroed(size_t bytes)
{
	return mallocx(bytes, MALLOCX_ZERO | MALLOCX_TCACHE_NONE | MALLOCX_ARENA(0));
}

static void *
rallocx_aligned(void *old, size_t bytes)
{
	return rallocx(old, bytes, MALLOCX_ALIGN(512));
}

// In place where that can be done.
static void *
in_place(void *old, size_t bytes)
{
	return xallocx(old, bytes, 0, 0) >= bytes ? old : rallocx(old, bytes, MALLOCX_TCACHE_NONE);
}

static void *
in_place_or_more(void *old, size_t bytes)
{
	return xallocx(old, bytes, 4096, 0) >= bytes ? old : rallocx(old, bytes, MALLOCX_ZERO);
}

GIVE(mallocx, bytes, flags_for(alignment))
GIVE(mallocx_zeroed, bytes)
RESIZE(rallocx, old, bytes, 0)
RESIZE(rallocx_aligned, old, bytes)
RESIZE(in_place, old, bytes)
RESIZE(in_place_or_more, old, bytes)
TAKE(dallocx, block, 0)
TAKE(sdallocx, block, bytes, flags_for(alignment))
MEASURE(sallocx, block, 0)

const struct give gives[] = {
	GIVES_OF_ALL,
	{"mallocx", give_mallocx, ALIGNS, false},
	{"mallocx", give_mallocx_zeroed, 0, true},
	{NULL, NULL, 0, false},
};

const struct resize resizes[] = {
	RESIZES_OF_ALL,
	{"rallocx", resize_rallocx, 0},
	{"rallocx", resize_rallocx_aligned, 512},
	{"", resize_in_place, 0},
	{"", resize_in_place_or_more, 0},
	{NULL, NULL, 0},
};

const struct take takes[] = {
	TAKES_OF_ALL,
	{"dallocx", take_dallocx, false},
	{"sdallocx", take_sdallocx, false},
	{NULL, NULL, false},
};

const struct measure measures[] = {
	MEASURES_OF_ALL,
	{"sallocx", measure_sallocx},
	{NULL, NULL},
};
