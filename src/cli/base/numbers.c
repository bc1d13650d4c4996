// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/numbers.h"

enum { SLOTS_FIRST = 64 };

uint64_t numbers_seed;

__attribute__((constructor)) static void
take_seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	if (random)
		memcpy(&numbers_seed, random, sizeof(numbers_seed));
}

static struct number *
slot_of(const struct numbers *numbers, uint64_t word)
{
	for (size_t i = numbers_hash(word);; i++) {
		struct number *slot = &numbers->slots[i & (numbers->slot_count - 1)];
		if (slot->number == 0 || slot->word == word)
			return slot;
	}
}

static void
widen(struct numbers *numbers)
{
	struct numbers wider = {.count = numbers->count,
		.slot_count = numbers->slot_count ? numbers->slot_count * 2 : SLOTS_FIRST};

	wider.slots = memory_get(wider.slot_count, sizeof(*wider.slots));
	for (size_t i = 0; i < numbers->slot_count; i++) {
		const struct number *number = &numbers->slots[i];
		if (number->number > 0)
			*slot_of(&wider, number->word) = *number;
	}
	free(numbers->slots);
	*numbers = wider;
}

size_t
numbers_of(struct numbers *numbers, uint64_t word, bool *is_new)
{
	if (numbers->count >= numbers->slot_count / 2)
		widen(numbers);
	ASSERT(numbers->count < numbers->slot_count);
	struct number *slot = slot_of(numbers, word);
	*is_new = slot->number == 0;
	if (*is_new)
		*slot = (struct number){word, (uint32_t)++numbers->count};
	return slot->number - 1;
}

size_t
numbers_find(const struct numbers *numbers, uint64_t word)
{
	if (numbers->count == 0)
		return NUMBERS_NONE;
	const struct number *slot = slot_of(numbers, word);
	return slot->number > 0 ? slot->number - 1 : NUMBERS_NONE;
}

void
numbers_free(struct numbers *numbers)
{
	free(numbers->slots);
	*numbers = (struct numbers){0};
}
