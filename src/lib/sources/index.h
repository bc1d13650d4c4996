// SPDX-License-Identifier: BSD-2-Clause
// index: finds the numbers of sources by the hashes of their stacks.
//
// Who may call: any thread. Only the thread that writes a snapshot may put sources to sleep, as it
// does when their code was unloaded (source_sleep()). Takes no lock: an entry is one word,
// published with one compare-and-swap, and never removed. The index never becomes full, unless
// there is no memory. It has at least twice as many entries as source.c gives out numbers.

#ifndef PMEM_INDEX_H
#define PMEM_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/tag.h"

enum {
	INDEX_NUMBER = (1 << TAG_SOURCE_BITS) - 1, // the bits of a number in an entry
	// The index has four parts. In each part a hash has one cache line, of INDEX_LINE entries. A source's
	// entry is in the smallest part where its hash's line has room. So the entries of a few sources are on
	// a few pages. The two smaller parts are static. No two parts have memory in common. Else a line that
	// is full in one part would be full in the next. The two larger parts are mapped at their first use.
	INDEX_LINE = 8,
	INDEX_WORDS = PMEM_SOURCES > 16384 ? 2 * PMEM_SOURCES
		: PMEM_SOURCES > 4 ? 4 * PMEM_SOURCES : 16,
	INDEX_NEAR = INDEX_WORDS < 1024 ? INDEX_WORDS : 1024,
	INDEX_STATIC = INDEX_WORDS < 8192 ? INDEX_WORDS : 8192,
	INDEX_LARGE = INDEX_WORDS < 65536 ? INDEX_WORDS : 65536,
};

// Upper bound of the memory that is mapped.
#define INDEX_BYTES_MAX ((uint64_t)(INDEX_LARGE + INDEX_WORDS) * sizeof(uint64_t))

// An entry of 0 is empty. The others have the upper 44 bits of the stack's hash, and the source's
// number in the lower 20. A filled entry never changes, with one exception. While the source
// sleeps, the hash's bits are inverted, so that a look-up does not find them.
//
// `words` is the memory of the largest part in use, and `reach` is a mask for hashes in it. A
// look-up begins at words[hash & reach]. If only a smaller part has the entry, the look-up copies
// it to the largest part in use. Both fields are atomic. The mask must be read before the pointer:
// they are stored in the other order.
extern struct index_part {
	uint64_t *words;
	uint64_t reach;
} index_largest;

// Returns the first entry at which a look-up searches for this hash.
static inline uint64_t *
index_first(uint64_t hash)
{
	uint64_t reach = __atomic_load_n(&index_largest.reach, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&index_largest.words, __ATOMIC_ACQUIRE) + (hash & reach);
}

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

// Returns the entry with this mark, or else the empty entry where the hash's entry would be put.
// Sets `word` to the entry's content. The mark is the hash, or the hash's complement for a source
// that sleeps. Returns NULL, and sets `word` to 0, if the static parts are full and there is no memory.
uint64_t *index_probe(uint64_t hash, uint64_t mark, uint64_t *word);

// Returns the content of the hash's entry if it is on the hash's line in the largest part in use.
// Else returns 0.
uint64_t index_near(uint64_t hash);

// Returns the content of the hash's entry, or 0 if there is none. If the hash's line in the largest
// part in use lacks the entry and has room, copies it there.
uint64_t index_get(uint64_t hash);

// Publishes a number under its hash. Returns that number, or another thread's number if that thread
// published first, or 0 if there is no memory. `entry` is the empty entry that index_probe() has
// returned.
uint32_t index_publish(uint64_t hash, uint32_t number, uint64_t *entry);

// Inverts the hash in all entries of a source: each part of the index may have one. With the hash
// as mark the source falls asleep. With the hash's complement as mark the source wakes.
void index_invert(uint64_t hash, uint64_t mark);

#endif
