// SPDX-License-Identifier: BSD-2-Clause
// extension_row: hooks for allocators' own functions, one a row.
//
// A row is a whole hook. It begins with what the function does, then has the function's name and
// how that is called. Rows stand at the top level of a file, without a semicolon. A function that
// fits no row is a HOOK() by hand.
//
// The columns:
//
//	called     the function's parameters (BYTES and so on), without the block that comes first
//	otherwise  a function that does the same if nobody has this one: see extension_otherwise()
//	aligned    its blocks' alignment, an expression of its parameters; 0 for malloc()'s
//
// Who may call: as extension.h says.

#ifndef PMEM_EXTENSION_ROW_H
#define PMEM_EXTENSION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks/hook.h"
#include "hooks/extension.h"

// How a function is called: its words, then its parameters.
#define NOTHING WORDS_UNSIZED()
#define ALIGNMENT WORDS_UNSIZED(alignment), size_t alignment
#define ALIGNMENT_NOTHROW \
	WORDS_UNSIZED(alignment, (uintptr_t)nothrow), size_t alignment, const void *nothrow
#define NOTHROW WORDS_UNSIZED((uintptr_t)nothrow), const void *nothrow
#define FLAGS WORDS_UNSIZED(flags), int flags
#define BYTES WORDS(bytes), size_t bytes
#define BYTES_FLAGS WORDS(bytes, flags), size_t bytes, int flags
#define BYTES_NOTHROW \
	WORDS(bytes, (uintptr_t)nothrow), size_t bytes, const void *nothrow
#define BYTES_ALIGNMENT WORDS(bytes, alignment), size_t bytes, size_t alignment
#define BYTES_ALIGNMENT_NOTHROW \
	WORDS(bytes, alignment, (uintptr_t)nothrow), \
		size_t bytes, size_t alignment, const void *nothrow
#define BYTES_ALIGNMENT_OFFSET \
	WORDS(bytes, alignment, offset), size_t bytes, size_t alignment, size_t offset
#define ALIGNMENT_BYTES \
	WORDS_SIZE_LAST(alignment, bytes), size_t alignment, size_t bytes
#define INSTANCE_BYTES \
	WORDS_SIZE_LAST((uintptr_t)instance, bytes), void *instance, size_t bytes
#define COUNT_SIZE WORDS_COUNTED(count, size), size_t count, size_t size
#define COUNT_SIZE_ALIGNMENT \
	WORDS_COUNTED(count, size, alignment), size_t count, size_t size, size_t alignment
#define COUNT_SIZE_ALIGNMENT_OFFSET \
	WORDS_COUNTED(count, size, alignment, offset), \
		size_t count, size_t size, size_t alignment, size_t offset

// Each row has a second macro, which gets `called` expanded.

// Gives a new block.
#define GIVES(function, called, otherwise, aligned) \
	GIVES_AS(function, otherwise, aligned, called)
#define GIVES_AS(function, otherwise, aligned, words, ...) \
	HOOK(void *, function, __VA_ARGS__) \
	{ \
		return extension_gives(NEXT(function, otherwise, aligned), words); \
	}

// Gives a new block of whole pages, as pvalloc() does.
#define GIVES_PAGES(function) \
	HOOK(void *, function, size_t bytes) \
	{ \
		return extension_gives_pages(NEXT(function, pvalloc, extension_page()), bytes); \
	}

// Gives a new block through its first parameter, as posix_memalign() does.
#define ALIGNS(function, aligned) \
	HOOK(int, function, void **block, size_t alignment, size_t bytes) \
	{ \
		return extension_aligns(NEXT(function, 0, aligned), block, alignment, bytes); \
	}

// Resizes the block in the first parameter. `zeroes` says that the bytes by which it grows must be
// zero.
#define RESIZES(function, called, otherwise, aligned, zeroes) \
	RESIZES_AS(function, otherwise, aligned, zeroes, called)
#define RESIZES_AS(function, otherwise, aligned, zeroes, words, ...) \
	HOOK(void *, function, void *old, __VA_ARGS__) \
	{ \
		return extension_resizes(NEXT(function, otherwise, aligned), old, words, zeroes); \
	}

// Is realloc() by another name.
#define REALLOCS(function, called, otherwise) REALLOCS_AS(function, otherwise, called)
#define REALLOCS_AS(function, otherwise, words, ...) \
	HOOK(void *, function, void *old, __VA_ARGS__) \
	{ \
		return extension_reallocs(NEXT(function, otherwise, 0), old, words); \
	}

// Frees the block in the first parameter.
#define TAKES(function, called) TAKES_AS(function, called)
#define TAKES_AS(function, words, ...) \
	HOOK(void, function, void *block, ##__VA_ARGS__) \
	{ \
		extension_takes(NEXT(function, 0, 0), block, words); \
	}

// Returns how much may be used of the block in the first parameter.
#define MEASURES(function, called) MEASURES_AS(function, called)
#define MEASURES_AS(function, words, ...) \
	HOOK(size_t, function, void *block, ##__VA_ARGS__) \
	{ \
		return extension_measures(NEXT(function, 0, 0), block, words); \
	}

// Foretells how much of a block could be used.
#define FORETELLS(function, called, aligned) FORETELLS_AS(function, aligned, called)
#define FORETELLS_AS(function, aligned, words, ...) \
	HOOK(size_t, function, __VA_ARGS__) \
	{ \
		return extension_foretells(NEXT(function, 0, aligned), words); \
	}

#endif
