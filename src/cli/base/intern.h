// SPDX-License-Identifier: BSD-2-Clause
// intern: gives each different key (some bytes) a number: 0, 1, ... in the order in which keys were
// first seen.

#ifndef PMEM_CLI_INTERN_H
#define PMEM_CLI_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A zeroed struct is an empty table.
struct intern {
	struct intern_key {
		void *bytes; // a copy of the key
		size_t length;
		uint64_t hash;
	} *keys; // keys[n] is key number n
	size_t count, room;
	uint32_t *slots; // hash table: each slot has a key's number + 1, or 0 if it is free
	size_t slot_count; // a power of two, more than `count`
};

// Returns the key's hash. Whoever writes a log cannot choose keys that collide: the hash has a random seed.
uint64_t intern_hash(const void *key, size_t length);

// Returns the key's number. If the key is new, gives it the next number. Unless `is_new` is NULL,
// sets *is_new: true if the key had no number before.
size_t intern_number(struct intern *table, const void *key, size_t length, bool *is_new);

// Returns the key's number, or INTERN_NONE if the key is not in the table.
#define INTERN_NONE SIZE_MAX
size_t intern_find(const struct intern *table, const void *key, size_t length);

// Does the same as intern_number(), for a text: its bytes without the '\0' are the key. The table's
// own copies of keys end in a '\0'.
size_t intern_text(struct intern *table, const char *text);

void intern_free(struct intern *table);

#endif
