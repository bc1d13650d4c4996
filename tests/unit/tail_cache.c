// The tails of a thread's memo, and of a fork's child, which takes other memory for each that it stores until
// all is taken, and then takes all back. However many are stored: each is stored, each that is found is
// the one stored there last, and no two have the same memory.
// of whole stacks

#include <stdbool.h>
#include <string.h>

#include "unit.h"
#include "unwind/tail_cache.h"

enum { ALL = TAIL_SETS * TAIL_WAYS, STACK = 4096, CALLERS = 3 };

static struct saved_word words[4];
static struct memo_frame frames[2];
static struct tail_cache tails;
static uintptr_t stack[STACK];
static uint64_t kept[TAIL_SETS][TAIL_WAYS]; // the sum's hash, by its hint

static size_t
random_below(size_t end)
{
	static uint64_t state = 1;
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t)(state >> 33) % end;
}

// Stores the tail of a frame at one of the places of the stack, called from one of CALLERS.
static void
store(uint64_t hash)
{
	uintptr_t pc = 0x1000, sp = (uintptr_t)&stack[random_below(STACK - 1)];
	struct unwind_sum sum = {.hash = hash};

	words[2] = (struct saved_word){sp, 0x2000 + random_below(CALLERS)};
	frames[1].at = (struct unwind){pc, sp, 0};
	struct unwind_sum *stored = tail_cache_keep(&tails, &frames[1], &frames[0], words, &sum);
	expect(stored && stored->hash == hash);
	struct tail_cache_set *set = &tails.sets[tail_cache_set(tail_cache_hash(pc, sp))];
	for (size_t way = 0; way < TAIL_WAYS; way++) {
		if (set->hints[way].key != 0 && &tail_cache_find(&tails, &set->hints[way])->sum == stored)
			kept[set - tails.sets][way] = hash;
	}
}

static void
expect_apart(void)
{
	static bool is_used[sizeof(tails) / sizeof(uint64_t)];

	memset(is_used, 0, sizeof(is_used));
	for (size_t set = 0; set < TAIL_SETS; set++) {
		for (size_t way = 0; way < TAIL_WAYS; way++) {
			const struct tail_cache_hint *hint = &tails.sets[set].hints[way];
			if (hint->key == 0)
				continue;
			const struct tail *tail = tail_cache_find(&tails, hint);
			expect(tail >= tails.tails && tail < tails.tails + ALL && !is_used[hint->tail]);
			expect(tail->sum.hash == kept[set][way] && tail->words[0].value == hint->value);
			is_used[hint->tail] = true;
		}
	}
}

static void
store_many(uint64_t from, uint64_t end)
{
	for (uint64_t hash = from; hash < end; hash++) {
		store(hash);
		if (hash % 64 == 0)
			expect_apart();
	}
}

int
main(void)
{
	static const uint64_t stored[] = {0, 1, 100, 3 * ALL};
	enum { AFTER = 10000 };

	frames[0] = (struct memo_frame){.at = {0, UINTPTR_MAX, 0}, .words_end = words + 1};
	saved_word_end(&words[0]);
	frames[1].words_end = words + 3;
	for (size_t i = 0; i < sizeof(stored) / sizeof(*stored); i++) {
		memset(&tails, 0, sizeof(tails));
		store_many(1, stored[i] + 1);
		tails.are_inherited = true;
		uint32_t given = tails.given;
		store_many(stored[i] + 1, stored[i] + 1 + ALL - given);
		expect(tails.given == ALL);
		store_many(stored[i] + 1 + ALL - given, AFTER);
		expect(!tails.are_inherited);
	}
	return 0;
}
