// SPDX-License-Identifier: BSD-2-Clause
// index: finds the numbers of sources by the hashes of their stacks.
//
// Who may call: any thread; only the thread that writes a snapshot may put sources to sleep. Never
// allocates, takes no lock: an entry is one word, published with one compare-and-swap, and never
// removed. The index must stay half empty: source.c limits the numbers that it gives out.

#ifndef PMEM_INDEX_H
#define PMEM_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/tag.h"

enum {
	INDEX_NUMBER = (1 << TAG_SOURCE_BITS) - 1, // the bits of a number in an entry
	// The index has three parts, so that few sources touch few pages. A source's entry is in the
	// cache line of its hash, in the first part where that line has room.
	INDEX_LINE = 8,
	INDEX_WORDS = PMEM_SOURCES > 16384 ? 2 * PMEM_SOURCES
		: PMEM_SOURCES > 4 ? 4 * PMEM_SOURCES : 16,
	INDEX_NEAR = INDEX_WORDS < 1024 ? INDEX_WORDS : 1024,
	INDEX_MIDDLE = INDEX_WORDS < 8192 ? INDEX_WORDS : 8192,
};

// An entry of 0 is empty. The others have the upper 44 bits of the stack's hash, and the source's
// number in the lower 20. An entry never changes once it is filled, except that the hash's bits are
// inverted while the source sleeps.
extern uint64_t index_words[INDEX_WORDS];

// Mask of the hash's bits that give its place in the largest part in use. When an entry of a
// smaller part is looked up, it is copied to the largest part. Atomic.
extern uint64_t index_reach;

static inline bool
index_is(uint64_t word, uint64_t hash)
{
	return ((word ^ hash) & ~(uint64_t)INDEX_NUMBER) == 0;
}

static inline uint32_t
index_number(uint64_t word)
{
	return (uint32_t)(word & INDEX_NUMBER);
}

static inline uint64_t
index_word(uint64_t hash, uint32_t number)
{
	return (hash & ~(uint64_t)INDEX_NUMBER) | number;
}

// Returns the entry with this mark, or the empty entry where the hash's would be. Sets `word` to
// the entry's content. The mark is the hash, or the hash's complement for a source that sleeps.
uint64_t *index_probe(uint64_t hash, uint64_t mark, uint64_t *word);

// Returns the content of the hash's entry if it is on the hash's first line; else 0.
uint64_t index_near(uint64_t hash);

// Returns the content of the hash's entry, or 0 if it has none. Copies the entry to the hash's
// first line if that line has room.
uint64_t index_get(uint64_t hash);

// Publishes a number under its hash. Returns that number, or another thread's if it was first.
uint32_t index_publish(uint64_t hash, uint32_t number, uint64_t *entry);

// Inverts a source's entries, of which each part may have one. With the hash as mark the source
// falls asleep; with the hash's complement it wakes.
void index_invert(uint64_t hash, uint64_t mark);

#endif
