// SPDX-License-Identifier: BSD-2-Clause
// glibc_chunk: what glibc keeps in the two words before a block, its header, and how far it is believed.
//
// Who may call: any thread, at any moment. Never allocates, never blocks. Headers are there where
// the blocks are glibc's. What glibc_chunk_glance() says may be wrong: it is where a tag is looked
// for, and a tag tells by itself that it is one.

#ifndef PMEM_GLIBC_CHUNK_H
#define PMEM_GLIBC_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "heap/real.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// The word before a block has the chunk's size, and flags in its lower bits (glibc,
// malloc/malloc.c, "struct malloc_chunk").
enum {
	GLIBC_CHUNK_PREV_IN_USE = 1,
	GLIBC_CHUNK_MMAPPED = 2,
	GLIBC_CHUNK_FLAGS = 7,
	GLIBC_CHUNK_MIN_BYTES = 32,
	// A chunk of at most this size ends near enough to its start to be mapped if that is: blocks of
	// 64 KiB, of which zlib takes four for each stream, are among them, with header and tag.
	GLIBC_CHUNK_NEAR_BYTES = 65 << 10,
};

// What is known of the blocks beneath us. Atomic.
extern struct glibc_chunk_layout {
	bool is_known;  // they are glibc's: what bears no such header is no block
	bool says_size; // and enough headers told what malloc_usable_size() does: they are believed
} glibc_chunk_layout;

// Usable bytes of a block of glibc's.
static inline size_t
glibc_chunk_usable(void *block)
{
	size_t word;

	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	if (__builtin_expect(word & GLIBC_CHUNK_MMAPPED, 0))
		return real.malloc_usable_size(block);
	return (word & ~(size_t)GLIBC_CHUNK_FLAGS) - sizeof(word);
}

// The same of a block that was given to free(), where its header is of a kind that is seen at a
// glance; else 0.
static inline size_t
glibc_chunk_glance(void *block)
{
	size_t word;

	if (__builtin_expect((uintptr_t)block % (2 * sizeof(word)) != 0, 0))
		return 0;
	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	// An aligned size that is neither too small nor too large, and no mapping's.
	size_t size = word & ~(size_t)(GLIBC_CHUNK_FLAGS & ~GLIBC_CHUNK_MMAPPED);
	if (__builtin_expect(size % (2 * sizeof(word)) != 0
				|| size - GLIBC_CHUNK_MIN_BYTES
					> GLIBC_CHUNK_NEAR_BYTES - GLIBC_CHUNK_MIN_BYTES,
			0))
		return 0;
	return size - sizeof(word);
}

// Whether free() gives the block back to the kernel, by its header.
static inline bool
glibc_chunk_is_mapping(const void *block)
{
	size_t word;

	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	return word & GLIBC_CHUNK_MMAPPED;
}

// Whether free() would take the block for one, by its header, and its end can be read.
bool glibc_chunk_is_plausible(void *block);

// Whether the block bears glibc's header, and not another's that looks like it.
bool glibc_chunk_bears_header(void *block);

// Compares the header of a new block with what malloc_usable_size() says: after a few that agree,
// headers are believed.
void glibc_chunk_learn(void *block, size_t usable);

#pragma GCC visibility pop

#endif
