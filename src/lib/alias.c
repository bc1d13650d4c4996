#include <stdbool.h>
#include <stddef.h>

#include "table.h"
#include "tag.h"
#include "alias.h"

enum {
	LINE = 8, // entries, a cache line
	ALIASES = 1 << 14,
	MANY = 1 << 16,
};

static TABLE_STATIC uint64_t aliases[ALIASES]; // atomic
static uint64_t *many; // stand for these, where there are that many; atomic
static bool is_used; // atomic

// Of the upper bits, which an entry has as well; the lowest of them say with which one begins.
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

uint64_t
alias_get(uint64_t hash)
{
	if (!__atomic_load_n(&is_used, __ATOMIC_RELAXED))
		return 0;
	uint64_t *line = line_of(hash);
	for (uint64_t i = 0; i < LINE; i++) {
		uint64_t word = __atomic_load_n(at_turn(line, hash, i), __ATOMIC_RELAXED);
		if (word == 0 || (word ^ hash) >> TAG_SOURCE_BITS == 0)
			return word;
	}
	return 0;
}

void
alias_keep(uint64_t word)
{
	uint64_t *line = line_of(word);
	static unsigned turns; // atomic
	uint64_t at = __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);

	// The first that is empty: a look-up ends there.
	for (uint64_t i = 0; i < LINE; i++) {
		if (__atomic_load_n(at_turn(line, word, i), __ATOMIC_RELAXED) == 0) {
			at = i;
			break;
		}
	}
	__atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
	__atomic_store_n(at_turn(line, word, at), word, __ATOMIC_RELAXED);
}

void
alias_forget(void)
{
	uint64_t *wide = __atomic_load_n(&many, __ATOMIC_ACQUIRE);
	size_t count = wide ? MANY : ALIASES;

	for (size_t i = 0; __atomic_load_n(&is_used, __ATOMIC_RELAXED) && i < count; i++)
		__atomic_store_n(wide ? &wide[i] : &aliases[i], 0, __ATOMIC_RELAXED);
}

void
alias_make_room(void)
{
	void *none = NULL;
	void *wide = __atomic_load_n(&many, __ATOMIC_RELAXED)
		? NULL : table_map(MANY * sizeof(*aliases));

	// Of two threads the second one's stays unused.
	if (wide)
		__atomic_compare_exchange_n((void **)(void *)&many, &none, wide, false, __ATOMIC_RELEASE,
			__ATOMIC_RELAXED);
}
