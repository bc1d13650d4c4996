// names: the functions that an allocator has beside malloc()'s family and with it, in
// tables, so that a test can call each. A test is compiled with -DJEMALLOC, -DTCMALLOC or
// -DMIMALLOC.

#ifndef TESTS_NAMES_H
#define TESTS_NAMES_H

#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

// `name` is what the log shows as frame 0.
struct give {
	const char *name;
	void *(*call)(size_t bytes, size_t alignment);
	size_t alignment; // 0: malloc()'s; ALIGNS: what was asked for
	bool zeroes;
};

enum { ALIGNS = 1 };

struct resize {
	const char *name;
	void *(*call)(void *old, size_t bytes);
	size_t alignment; // of the block it makes
};

// `alignment` is what the block was allocated with, `bytes` what was asked for.
struct take {
	const char *name;
	void (*call)(void *block, size_t bytes, size_t alignment);
	bool as_new; // only for blocks without an alignment that were never resized
};

struct measure {
	const char *name;
	size_t (*call)(void *block);
};

// Each table ends with an entry that has nothing to call; a name of "" is several
// functions.
extern const struct give gives[];
extern const struct resize resizes[];
extern const struct take takes[];
extern const struct measure measures[];

// C++'s, Itanium C++ ABI, 5.1.
void *_Znwm(size_t bytes);
void _ZdlPv(void *block);
void _ZdlPvm(void *block, size_t bytes);

#define GIVE(function, ...) \
	static void *give_##function(size_t bytes, size_t alignment) \
	{ \
		(void)alignment; \
		return function(__VA_ARGS__); \
	}
#define RESIZE(function, ...) \
	static void *resize_##function(void *old, size_t bytes) { return function(__VA_ARGS__); }
#define TAKE(function, ...) \
	static void take_##function(void *block, size_t bytes, size_t alignment) \
	{ \
		(void)bytes, (void)alignment; \
		function(__VA_ARGS__); \
	}
#define MEASURE(function, ...) \
	static size_t measure_##function(void *block) { return function(__VA_ARGS__); }

GIVE(malloc, bytes)
GIVE(calloc, 1, bytes)
GIVE(memalign, alignment, bytes)
GIVE(_Znwm, bytes)
RESIZE(realloc, old, bytes)
TAKE(free, block)
TAKE(_ZdlPv, block)
TAKE(_ZdlPvm, block, bytes)
MEASURE(malloc_usable_size, block)

#define GIVES_OF_ALL \
	{"malloc", give_malloc, 0, false}, {"calloc", give_calloc, 0, true}, \
		{"memalign", give_memalign, ALIGNS, false}, \
		{"operator new(unsigned long)", give__Znwm, 0, false}
#define RESIZES_OF_ALL {"realloc", resize_realloc, 0}
#define TAKES_OF_ALL \
	{"free", take_free, false}, {"operator delete", take__ZdlPv, false}, \
		{"operator delete, sized", take__ZdlPvm, true}
#define MEASURES_OF_ALL {"malloc_usable_size", measure_malloc_usable_size}

#if defined(JEMALLOC)
#include "names_jemalloc.h"
#elif defined(TCMALLOC)
#include "names_tcmalloc.h"
#elif defined(MIMALLOC)
#include "names_mimalloc.h"
#endif

#endif
