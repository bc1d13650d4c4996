// SPDX-License-Identifier: BSD-2-Clause
// extension_row: macros that define a whole hook for an allocator's own function in one line, a
// row.
//
// A row is one call of a macro. The macro's name says what the function does. The macro's first
// argument is the function's name. The other arguments are the columns below. Rows stand at the top
// level of a file, without a semicolon. A function that fits no macro has a HOOK() written by hand.
//
// The columns:
//
//	called     the function's parameters (BYTES and so on), without the block that comes first
//	otherwise  a function to call if nobody defines this one: see extension_otherwise()
//	aligned    the blocks' alignment, an expression of the parameters; 0 for malloc()'s
//
// Who may call: as extension.h says.

#ifndef PMEM_EXTENSION_ROW_H
#define PMEM_EXTENSION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks/hook.h"
#include "hooks/extension.h"

// Values of the column `called`: a struct words (extension.h) of the arguments, then the
// declarations of the parameters.
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

// Each row's macro calls a second macro, named ..._AS. In that call `called` is expanded: the
// second macro gets it as several arguments.

// Gives a new block.
#define GIVES(function, called, otherwise, aligned) \
	GIVES_AS(function, otherwise, aligned, called)
#define GIVES_AS(function, otherwise, aligned, words, ...) \
	HOOK(void *, function, __VA_ARGS__) \
	{ \
		return extension_gives(NEXT(function, otherwise, aligned), words); \
	}

extern void *pvalloc(size_t bytes); // musl's headers do not declare it

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

// Resizes the block in the first parameter. If `zeroes`, the bytes by which the block grows must be
// zero.
#define RESIZES(function, called, otherwise, aligned, zeroes) \
	RESIZES_AS(function, otherwise, aligned, zeroes, called)
#define RESIZES_AS(function, otherwise, aligned, zeroes, words, ...) \
	HOOK(void *, function, void *old, __VA_ARGS__) \
	{ \
		return extension_resizes(NEXT(function, otherwise, aligned), old, words, zeroes); \
	}

// Does what realloc() does.
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

// Returns the usable size of the block in the first parameter.
#define MEASURES(function, called) MEASURES_AS(function, called)
#define MEASURES_AS(function, words, ...) \
	HOOK(size_t, function, void *block, ##__VA_ARGS__) \
	{ \
		return extension_measures(NEXT(function, 0, 0), block, words); \
	}

// Predicts the usable size of a block that is not allocated yet.
#define FORETELLS(function, called, aligned) FORETELLS_AS(function, aligned, called)
#define FORETELLS_AS(function, aligned, words, ...) \
	HOOK(size_t, function, __VA_ARGS__) \
	{ \
		return extension_foretells(NEXT(function, 0, aligned), words); \
	}

#endif
