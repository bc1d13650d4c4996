// SPDX-License-Identifier: BSD-2-Clause
// glibc_chunk: reads glibc's chunk header, the two words before a block, and decides whether to
// believe it.
//
// Who may call: any thread, at any moment. Never allocates, never blocks. A header exists only
// if the blocks are glibc's. The result of glibc_chunk_glance() may be wrong. It only says where to
// look for a tag, and a tag proves itself valid.

#ifndef PMEM_GLIBC_CHUNK_H
#define PMEM_GLIBC_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/address.h"
#include "heap/real.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// The word before a block holds the chunk's size, and flags in its lower bits (glibc,
// malloc/malloc.c, "struct malloc_chunk").
enum {
	GLIBC_CHUNK_PREV_IN_USE = 1,
	GLIBC_CHUNK_MMAPPED = 2,
	GLIBC_CHUNK_FLAGS = 7,
	GLIBC_CHUNK_MIN_BYTES = 32,
	// If a chunk of at most this size starts in mapped memory, its end is taken to be mapped. The
	// kernel is not asked. The limit includes blocks of 64 KiB with header and tag: zlib allocates
	// four such blocks for each stream.
	GLIBC_CHUNK_NEAR_BYTES = 65 << 10,
};

// What is known of the allocator's blocks. Atomic.
extern struct glibc_chunk_layout {
	// True if the blocks are glibc's. Then an address without glibc's header before it is no block.
	bool is_known;
	bool says_size; // headers are believed: enough of them agreed with malloc_usable_size()
} glibc_chunk_layout;

// Reads the usable bytes of a block of glibc's from the block's header. Returns false for a mapping of
// its own, whose header does not say them.
static inline bool
glibc_chunk_says(void *block, size_t *usable)
{
	size_t word;

	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	*usable = (word & ~(size_t)GLIBC_CHUNK_FLAGS) - sizeof(word);
	return __builtin_expect(!(word & GLIBC_CHUNK_MMAPPED), 1);
}

// Returns the usable bytes of a block that was given to free(), if its header is of the common
// kind. Returns 0 for any other header.
static inline size_t
glibc_chunk_glance(void *block)
{
	size_t word;

	if (__builtin_expect((uintptr_t)block % (2 * sizeof(word)) != 0, 0))
		return 0;
	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	// In a header of the common kind the size is aligned and within the limits. `size` keeps the
	// flag of a mapping. So a chunk that is a mapping of its own fails the check of alignment.
	size_t size = word & ~(size_t)(GLIBC_CHUNK_FLAGS & ~GLIBC_CHUNK_MMAPPED);
	if (__builtin_expect(size % (2 * sizeof(word)) != 0
				|| size - GLIBC_CHUNK_MIN_BYTES
					> GLIBC_CHUNK_NEAR_BYTES - GLIBC_CHUNK_MIN_BYTES,
			0))
		return 0;
	return size - sizeof(word);
}

// Returns true if the header says that the block is a mapping of its own, which free() unmaps.
static inline bool
glibc_chunk_is_mapping(const void *block)
{
	size_t word;

	memcpy(&word, (const char *)address_of(block) - sizeof(word), sizeof(word));
	return word & GLIBC_CHUNK_MMAPPED;
}

// Returns true if free() would accept the block's header, and the block's end can be read.
bool glibc_chunk_is_plausible(void *block);

// Returns true if the block has glibc's header, and not another header that looks like it.
bool glibc_chunk_bears_header(void *block);

// Compares the header of a new block with the result of malloc_usable_size(). After a few blocks
// for which both agree, headers are believed.
void glibc_chunk_learn(void *block, size_t usable);

#pragma GCC visibility pop

#endif
