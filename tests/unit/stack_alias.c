// Which source a stack counts as is what was said last, however it came to be found: also what was looked
// up before, and so lies near, and what shares its place with others. Forgotten, none is found. Of many at
// one place those that came last are there; nobody is taken for another.

#include <stdint.h>

#include "unit.h"
#include "base/tag.h"
#include "stacks/stack_alias.h"

enum {
	MASK = (1 << TAG_SOURCE_BITS) - 1,
	MANY = 5000,
	CROWD = 40,
	LAST = 4, // of a crowd, that must be there
};

// Different in the upper bits, and so in where it lies.
static uint64_t
hash_of(uint64_t number)
{
	return (number * UINT64_C(0x9e3779b97f4a7c15)) & ~(uint64_t)MASK;
}

// All of these begin at one place, in the smallest part and in the largest.
static uint64_t
crowded(uint64_t number)
{
	return (number + 1) << (TAG_SOURCE_BITS + 20) | (uint64_t)5 << TAG_SOURCE_BITS;
}

static uint32_t
found(uint64_t hash)
{
	return (uint32_t)(stack_alias_get(hash) & MASK);
}

static void
the_last_word_counts(void)
{
	for (uint64_t i = 1; i < MANY; i++) {
		stack_alias_keep(hash_of(i) | 7);
		expect(found(hash_of(i)) == 7);
		stack_alias_keep(hash_of(i) | 9);
		expect(found(hash_of(i)) == 9);
	}
	unsigned left = 0;
	for (uint64_t i = 1; i < MANY; i++) {
		uint32_t source = found(hash_of(i));
		expect(source == 9 || source == 0);
		left += source == 9;
	}
	expect(left > MANY * 9 / 10);
	// What is near by now is found where all else has gone.
	for (uint64_t i = 1; i < MANY; i++) {
		if (found(hash_of(i)) == 0)
			stack_alias_keep(hash_of(i) | 9);
		expect(found(hash_of(i)) == 9);
	}
}

static void
none_is_taken_for_another(void)
{
	for (uint64_t i = 0; i < CROWD; i++) {
		stack_alias_keep(crowded(i) | (i + 1));
		expect(found(crowded(i)) == i + 1);
	}
	for (uint64_t i = 0; i < CROWD; i++)
		expect(found(crowded(i)) == i + 1 || found(crowded(i)) == 0);
	expect(found(crowded(CROWD)) == 0);
	for (uint64_t i = 0; i < LAST; i++)
		stack_alias_keep(crowded(i) | (i + 100));
	for (uint64_t i = 0; i < LAST; i++)
		expect(found(crowded(i)) == i + 100 || found(crowded(i)) == 0);
	expect(found(crowded(LAST - 1)) == LAST + 99);
}

static void
nothing_is_found_once_forgotten(void)
{
	stack_alias_forget();
	for (uint64_t i = 1; i < MANY; i++)
		expect(found(hash_of(i)) == 0);
	for (uint64_t i = 0; i < CROWD; i++)
		expect(found(crowded(i)) == 0);
}

int
main(void)
{
	expect(found(hash_of(1)) == 0);
	for (int round = 0; round < 2; round++) {
		the_last_word_counts();
		none_is_taken_for_another();
		nothing_is_found_once_forgotten();
		// The second round has more room.
		stack_alias_make_room();
	}
	return 0;
}
