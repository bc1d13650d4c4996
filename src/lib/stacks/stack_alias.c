// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stddef.h>

#include "base/table.h"
#include "base/tag.h"
#include "stacks/stack_alias.h"

enum {
	LINE = 8, // entries of a cache line
	NEAR = 1 << 11,
	// In a full line of nearby[] a new word replaces one of the first NEAR_REPLACED entries that a
	// search visits.
	NEAR_REPLACED = 2,
	ALIASES = 1 << 14,
	MANY = 1 << 16,
};

// A small cache of aliases looked up lately. The whole table lies on many pages, so a look-up in it
// mostly misses the processor's address cache (TLB).
static TABLE_STATIC uint64_t nearby[NEAR]; // atomic
static TABLE_STATIC uint64_t aliases[ALIASES]; // atomic
// A larger table, used instead of aliases[] once stack_alias_make_room() has mapped it; atomic.
static uint64_t *many;
static bool is_used; // true once an alias was stored; atomic

// Returns the cache line for a hash. The line is chosen by upper bits of the hash. A word
// (stack_alias.h) has the same upper bits as its hash, so it may stand for the hash. The lowest of
// these bits choose the entry at which a search of the line begins.
static uint64_t *
line_of(uint64_t hash)
{
	uint64_t *wide = __atomic_load_n(&many, __ATOMIC_ACQUIRE);
	return wide ? &wide[hash >> TAG_SOURCE_BITS & (MANY - LINE)]
		: &aliases[hash >> TAG_SOURCE_BITS & (ALIASES - LINE)];
}

static uint64_t *
at_turn(uint64_t *line, uint64_t hash, uint64_t turn)
{
	return &line[((hash >> TAG_SOURCE_BITS) + turn) & (LINE - 1)];
}

static inline uint64_t *
near_line_of(uint64_t hash)
{
	return &nearby[hash >> TAG_SOURCE_BITS & (NEAR - LINE)];
}

// Searches a line for the entry of a hash. Sets `word` to the entry's content, or 0. If the line
// has no such entry, returns the first empty entry, or NULL if the line is full.
static inline uint64_t *
find(uint64_t *line, uint64_t hash, uint64_t *word)
{
	for (uint64_t i = 0; i < LINE; i++) {
		uint64_t *entry = at_turn(line, hash, i);
		*word = __atomic_load_n(entry, __ATOMIC_RELAXED);
		if (*word == 0 || (*word ^ hash) >> TAG_SOURCE_BITS == 0)
			return entry;
	}
	*word = 0;
	return NULL;
}

// Stores a word in the entry that find() returns. If the line is full, replaces one of the first
// `replaced` words that a search visits, each in turn. Returns the entry. Words are never moved to
// other entries: stack_alias_forget() might miss a word that is moved while it runs.
static uint64_t *
put(uint64_t *line, uint64_t word, unsigned replaced)
{
	static unsigned turns; // atomic
	uint64_t there;
	uint64_t *entry = find(line, word, &there);

	if (!entry)
		entry = at_turn(line, word, __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED) % replaced);
	__atomic_store_n(entry, word, __ATOMIC_SEQ_CST);
	return entry;
}

// Returns the hash's word from the whole table, and copies it to the cache. If stack_alias_forget()
// runs meanwhile, removes the copy again.
static __attribute__((noinline)) uint64_t
get_far(uint64_t hash)
{
	uint64_t word, still;
	uint64_t *far = find(line_of(hash), hash, &word);

	if (word == 0)
		return 0;
	uint64_t *entry = put(near_line_of(hash), word, NEAR_REPLACED);
	still = word;
	if (__atomic_load_n(far, __ATOMIC_SEQ_CST) != word)
		__atomic_compare_exchange_n(
			entry, &still, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return word;
}

uint64_t
stack_alias_get(uint64_t hash)
{
	uint64_t word;

	if (!__atomic_load_n(&is_used, __ATOMIC_RELAXED))
		return 0;
	find(near_line_of(hash), hash, &word);
	return __builtin_expect(word != 0, 1) ? word : get_far(hash);
}

void
stack_alias_keep(uint64_t word)
{
	__atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
	put(line_of(word), word, LINE);
	put(near_line_of(word), word, NEAR_REPLACED);
}

void
stack_alias_forget(void)
{
	uint64_t *wide = __atomic_load_n(&many, __ATOMIC_ACQUIRE);
	size_t count = wide ? MANY : ALIASES;

	if (!__atomic_load_n(&is_used, __ATOMIC_RELAXED))
		return;
	for (size_t i = 0; i < count; i++)
		__atomic_store_n(wide ? &wide[i] : &aliases[i], 0, __ATOMIC_SEQ_CST);
	// The cache is cleared last. If it were cleared first, get_far() might fill it again from the
	// table.
	for (size_t i = 0; i < NEAR; i++)
		__atomic_store_n(&nearby[i], 0, __ATOMIC_SEQ_CST);
}

void
stack_alias_make_room(void)
{
	void *none = NULL;
	void *wide = __atomic_load_n(&many, __ATOMIC_RELAXED)
		? NULL : table_map(TABLE_STACKS, MANY * sizeof(*aliases));

	// If two threads come here at the same time, the second thread's memory stays unused.
	if (wide)
		__atomic_compare_exchange_n((void **)(void *)&many, &none, wide, false, __ATOMIC_RELEASE,
			__ATOMIC_RELAXED);
}
