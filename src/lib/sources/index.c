// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/check.h"
#include "base/table.h"
#include "sources/index.h"

static TABLE_STATIC uint64_t near_words[INDEX_NEAR];
static TABLE_STATIC uint64_t static_words[INDEX_STATIC];
struct index_part index_largest = {near_words, INDEX_NEAR - 1};

enum { PARTS = 4 };
static const uint64_t reaches[PARTS] = {
	INDEX_NEAR - 1, INDEX_STATIC - 1, INDEX_LARGE - 1, INDEX_WORDS - 1,
};
static void *mapped_words[PARTS]; // of the larger parts; NULL until the part is needed; atomic

// Returns the part's memory, or NULL if it has not been mapped.
static uint64_t *
part_get(size_t part)
{
	return part == 0 ? near_words : reaches[part] < INDEX_STATIC ? static_words
		: __atomic_load_n(&mapped_words[part], __ATOMIC_ACQUIRE);
}

// Returns the part's memory, and maps it if need be. Returns NULL if there is no memory.
static uint64_t *
part_reach(size_t part)
{
	return part == 0 ? near_words : reaches[part] < INDEX_STATIC ? static_words
		: table_chunk(TABLE_STACKS, &mapped_words[part], (reaches[part] + 1) * sizeof(uint64_t));
}

static inline uint64_t *
line_of(uint64_t *words, uint64_t at)
{
	return &words[at & -INDEX_LINE];
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

// Probes the hash's line in each part of the index. If these lines are full, probes all lines of the
// largest part that there is memory for. The distance from one probed line to the next depends on
// the hash, so few hashes probe the same lines. Adjacent lines are not probed one after another: all
// lines of a smaller part may be full.
uint64_t *
index_probe(uint64_t hash, uint64_t mark, uint64_t *word)
{
	uint64_t *words = near_words;
	uint64_t reach = 0;

	for (size_t i = 0; i < PARTS; i++) {
		uint64_t *part = part_reach(i);
		if (!part)
			break;
		words = part;
		reach = reaches[i];
		uint64_t *entry = probe_line(hash, line_of(words, hash & reach), mark, word);
		if (entry)
			return entry;
	}
	uint64_t step = (hash >> TAG_SOURCE_BITS | 1) * INDEX_LINE;
	for (uint64_t i = 1; i <= reach / INDEX_LINE; i++) {
		uint64_t *entry = probe_line(hash, line_of(words, (hash + i * step) & reach), mark, word);
		if (entry)
			return entry;
	}
	*word = 0;
	return NULL;
}

// Returns the hash's line in the largest part in use, where a look-up begins.
static uint64_t *
first_line(uint64_t hash)
{
	return index_first(hash) - hash % INDEX_LINE;
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
	// If a smaller part has the entry, copies it to the largest part in use. The next look-up finds
	// it there at once.
	if (word != 0 && entry)
		__atomic_compare_exchange_n(
			entry, &there, word, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return word;
}

// Makes the part that has the entry the largest in use, unless a larger part is in use.
static void
reach_for(uint64_t *entry)
{
	size_t part = 0;
	uint64_t *words;

	while (words = part_get(part), !words || entry < words || entry > words + reaches[part])
		part++;
	// If two threads store at once, the smaller value may remain for a while. Look-ups are then
	// correct, but slower: more of them must search a second line.
	if (reaches[part] <= __atomic_load_n(&index_largest.reach, __ATOMIC_RELAXED))
		return;
	// Only a smaller part's memory is replaced. So the memory is never too small for the mask,
	// whatever other threads store meanwhile.
	for (size_t smaller = 0; smaller < part; smaller++) {
		uint64_t *before = part_get(smaller);
		if (before && before != words)
			__atomic_compare_exchange_n(&index_largest.words, &before, words, false, __ATOMIC_ACQ_REL,
				__ATOMIC_ACQUIRE);
	}
	__atomic_store_n(&index_largest.reach, reaches[part], __ATOMIC_RELEASE);
}

uint32_t
index_publish(uint64_t hash, uint32_t number, uint64_t *entry)
{
	uint64_t word = index_word(hash, number);
	uint64_t found = 0;

	CHECK(number > 0 && number < PMEM_SOURCES);
	reach_for(entry);
	while (entry && !__atomic_compare_exchange_n(
		entry, &found, word, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
		entry = index_probe(hash, hash, &found);
		if (found != 0)
			return index_number(found);
	}
	return entry ? number : 0;
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
		uint64_t *words = part_get(i / INDEX_LINE);
		if (!words)
			break;
		entry = line_of(words, hash & reaches[i / INDEX_LINE]) + i % INDEX_LINE;
		word = __atomic_load_n(entry, __ATOMIC_RELAXED);
		if (word != 0 && index_is(word, mark))
			invert_entry(entry, word);
	}
	if (entry = index_probe(hash, mark, &word), word != 0)
		invert_entry(entry, word);
}
