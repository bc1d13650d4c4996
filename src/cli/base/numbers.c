#include <stdlib.h>

#include "base/memory.h"
#include "base/numbers.h"

enum { SLOTS_FIRST = 64 };

static struct number *
slot_of(const struct numbers *numbers, uint64_t word)
{
	uint64_t hash = word * UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = hash ^ hash >> 32;; i++) {
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
	struct number *slot = slot_of(numbers, word);
	*is_new = slot->number == 0;
	if (*is_new)
		*slot = (struct number){word, (uint32_t)++numbers->count};
	return slot->number - 1;
}

void
numbers_free(struct numbers *numbers)
{
	free(numbers->slots);
	*numbers = (struct numbers){0};
}
