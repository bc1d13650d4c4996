// SPDX-License-Identifier: BSD-2-Clause
// index: the numbers of sources, by the hashes of their stacks.
//
// Who may call: any thread; sleeping is for the thread that writes a snapshot. Never allocates,
// takes no lock: an entry is one word, published with one compare-and-swap, and never taken out.
// It is to stay half empty: who gives out numbers bounds them.

#ifndef PMEM_INDEX_H
#define PMEM_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/tag.h"

enum {
	INDEX_NUMBER = (1 << TAG_SOURCE_BITS) - 1, // the bits of a number in an entry
	// So that few sources touch few pages, one goes into the cache line of its hash in the first
	// of three parts in which that is not full.
	INDEX_LINE = 8,
	INDEX_WORDS = PMEM_SOURCES > 16384 ? 2 * PMEM_SOURCES
		: PMEM_SOURCES > 4 ? 4 * PMEM_SOURCES : 16,
	INDEX_NEAR = INDEX_WORDS < 1024 ? INDEX_WORDS : 1024,
	INDEX_MIDDLE = INDEX_WORDS < 8192 ? INDEX_WORDS : 8192,
};

// Entries are 0: empty, for good or until one compare-and-swap. Else the upper 44 bits of the
// stack's hash, and the source's number in the lower 20. They never change again, but for the
// hash's bits, which are inverted while the source sleeps.
extern uint64_t index_words[INDEX_WORDS];

// Which bits of a hash are its place in the largest part that is in use. There, what stands in a
// smaller one gets a second entry when it is looked up. Atomic.
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

// The entry of the hash, or the empty one where it would be, and what is in it. With the complement
// of the hash as its mark: that of a source that sleeps.
uint64_t *index_probe(uint64_t hash, uint64_t mark, uint64_t *word);

// What is in the entry of the hash, if that is on the line where it is looked for first; else 0.
uint64_t index_near(uint64_t hash);

// The same wherever it is; 0: it has none. From then on it is on that line, if there is room.
uint64_t index_get(uint64_t hash);

// Enters a number where its hash would be; that of another thread's which was first, if one was.
uint32_t index_publish(uint64_t hash, uint32_t number, uint64_t *entry);

// Inverts a source's entries, of which each part may have one: it sleeps (marked by its hash), or
// wakes (by the complement of that).
void index_invert(uint64_t hash, uint64_t mark);

#endif
