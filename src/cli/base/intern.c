// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/intern.h"
#include "base/numbers.h"

enum { SLOTS_FIRST = 64 };

// Hashes eight bytes at a time. After each step, high bits are mixed into the low ones, because the
// low bits choose the slot.
uint64_t
intern_hash(const void *key, size_t length)
{
	const unsigned char *bytes = key;
	uint64_t hash = length ^ numbers_seed;

	while (length > 0) {
		size_t count = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
		uint64_t word = 0;
		if (count == sizeof(word))
			memcpy(&word, bytes, sizeof(word));
		else
			memcpy(&word, bytes, count);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
		bytes += count;
		length -= count;
	}
	return numbers_hash(hash);
}

// Returns the slot that has the key. If the key is not in the table, returns the free slot where it
// belongs.
static uint32_t *
slot_of(const struct intern *table, const void *bytes, size_t length, uint64_t hash)
{
	for (size_t i = hash;; i++) {
		uint32_t *slot = &table->slots[i & (table->slot_count - 1)];
		if (*slot == 0)
			return slot;
		const struct intern_key *key = &table->keys[*slot - 1];
		if (key->hash == hash && key->length == length && memcmp(key->bytes, bytes, length) == 0)
			return slot;
	}
}

static void
widen(struct intern *table)
{
	size_t count = table->slot_count ? table->slot_count * 2 : SLOTS_FIRST;

	free(table->slots);
	table->slots = memory_get(count, sizeof(*table->slots));
	table->slot_count = count;
	for (size_t i = 0; i < table->count; i++) {
		const struct intern_key *key = &table->keys[i];
		*slot_of(table, key->bytes, key->length, key->hash) = i + 1;
	}
}

size_t
intern_number(struct intern *table, const void *bytes, size_t length, bool *is_new)
{
	if (table->count >= table->slot_count / 2)
		widen(table);
	ASSERT(table->count < table->slot_count);
	uint64_t hash = intern_hash(bytes, length);
	uint32_t *slot = slot_of(table, bytes, length, hash);
	if (is_new)
		*is_new = *slot == 0;
	if (*slot > 0)
		return *slot - 1;

	table->keys = memory_grow(table->keys, table->count, &table->room, sizeof(*table->keys));
	table->keys[table->count] = (struct intern_key){memory_text(bytes, length), length, hash};
	*slot = ++table->count;
	return table->count - 1;
}

size_t
intern_find(const struct intern *table, const void *bytes, size_t length)
{
	if (table->count == 0)
		return INTERN_NONE;
	uint32_t slot = *slot_of(table, bytes, length, intern_hash(bytes, length));
	return slot > 0 ? slot - 1 : INTERN_NONE;
}

size_t
intern_text(struct intern *table, const char *text)
{
	return intern_number(table, text, strlen(text), NULL);
}

void
intern_free(struct intern *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->keys[i].bytes);
	free(table->keys);
	free(table->slots);
	*table = (struct intern){0};
}
