// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/check.h"
#include "base/table.h"
#include "sources/index.h"

TABLE_STATIC uint64_t index_words[INDEX_WORDS];
uint64_t index_reach = INDEX_NEAR - 1;

static uint64_t *
line_of(uint64_t hash, uint64_t reach)
{
	return &index_words[hash & reach & -INDEX_LINE];
}

// Searches one cache line of the index. Returns the entry with this mark (index_probe()), or else
// an empty entry. Sets `word` to the entry's content. Returns NULL if the line is full of other
// entries.
static inline __attribute__((always_inline)) uint64_t *
probe_line(uint64_t hash, uint64_t *line, uint64_t mark, uint64_t *word)
{
	for (uint64_t i = 0; i < INDEX_LINE; i++) {
		uint64_t *entry = &line[(hash + i) & (INDEX_LINE - 1)];
		*word = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
		if (*word == 0 || index_is(*word, mark))
			return entry;
	}
	return NULL;
}

enum { PARTS = 3 };
static const uint64_t reaches[PARTS] = {INDEX_NEAR - 1, INDEX_MIDDLE - 1, INDEX_WORDS - 1};

// Probes the hash's line in each part of the index. If these lines are full, probes all lines. The
// distance from one probed line to the next depends on the hash, so few hashes probe the same
// lines. Adjacent lines are not probed one after another: all lines of a smaller part may be full.
uint64_t *
index_probe(uint64_t hash, uint64_t mark, uint64_t *word)
{
	for (size_t i = 0; i < PARTS; i++) {
		uint64_t *entry = probe_line(hash, line_of(hash, reaches[i]), mark, word);
		if (entry)
			return entry;
	}
	uint64_t step = (hash >> TAG_SOURCE_BITS | 1) * INDEX_LINE;
	for (uint64_t at = hash + step;; at += step) {
		uint64_t *entry = probe_line(hash, line_of(at, INDEX_WORDS - 1), mark, word);
		if (entry)
			return entry;
	}
}

// Returns the hash's line in the largest part in use, where a look-up begins.
static uint64_t *
first_line(uint64_t hash)
{
	return line_of(hash, __atomic_load_n(&index_reach, __ATOMIC_RELAXED));
}

uint64_t
index_near(uint64_t hash)
{
	uint64_t word;
	return probe_line(hash, first_line(hash), hash, &word) ? word : 0;
}

uint64_t
index_get(uint64_t hash)
{
	uint64_t word;
	uint64_t there;

	uint64_t *entry = probe_line(hash, first_line(hash), hash, &there);
	if (there != 0 && entry)
		return there;
	index_probe(hash, hash, &word);
	// If a smaller part has the entry, copies it to the largest part in use, where the next look-up
	// finds it at once.
	if (word != 0 && entry)
		__atomic_compare_exchange_n(
			entry, &there, word, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return word;
}

// Makes the part that has the entry the largest in use, unless a larger part is in use.
static void
reach_for(const uint64_t *entry)
{
	uint64_t size = entry < index_words + INDEX_NEAR ? INDEX_NEAR
		: entry < index_words + INDEX_MIDDLE ? INDEX_MIDDLE : INDEX_WORDS;

	// If two threads store at once, the smaller value may remain for a while. Look-ups are then
	// correct, but slower: more of them must search a second line.
	if (size - 1 > __atomic_load_n(&index_reach, __ATOMIC_RELAXED))
		__atomic_store_n(&index_reach, size - 1, __ATOMIC_RELAXED);
}

uint32_t
index_publish(uint64_t hash, uint32_t number, uint64_t *entry)
{
	uint64_t word = index_word(hash, number);
	uint64_t found = 0;

	CHECK(number > 0 && number < PMEM_SOURCES);
	CHECK(entry >= index_words && entry < index_words + INDEX_WORDS);
	reach_for(entry);
	while (!__atomic_compare_exchange_n(
		entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
		entry = index_probe(hash, hash, &found);
		if (found != 0)
			return index_number(found);
	}
	return number;
}

static void
invert_entry(uint64_t *entry, uint64_t word)
{
	// Another thread may be inverting the same entry. A second inversion would undo the first.
	__atomic_compare_exchange_n(entry, &word, word ^ ~(uint64_t)INDEX_NUMBER, false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
index_invert(uint64_t hash, uint64_t mark)
{
	uint64_t *entry;
	uint64_t word;

	for (size_t i = 0; i < PARTS * INDEX_LINE; i++) {
		entry = line_of(hash, reaches[i / INDEX_LINE]) + i % INDEX_LINE;
		word = __atomic_load_n(entry, __ATOMIC_RELAXED);
		if (word != 0 && index_is(word, mark))
			invert_entry(entry, word);
	}
	if (entry = index_probe(hash, mark, &word), word != 0)
		invert_entry(entry, word);
}
