// SPDX-License-Identifier: BSD-2-Clause
// intern: numbers keys by their bytes: 0, 1, ... in the order in which they were first seen. Equal
// bytes have the same number.

#ifndef PMEM_CLI_INTERN_H
#define PMEM_CLI_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero is an empty table.
struct intern {
	struct intern_key {
		void *bytes; // a copy
		size_t length;
		uint64_t hash;
	} *keys; // by number
	size_t count, room;
	uint32_t *slots; // number + 1; 0 if free
	size_t slot_count; // a power of two, more than count
};

// Returns the key's number, and makes one if it is new. Sets *is_new, unless NULL.
size_t intern_number(struct intern *table, const void *key, size_t length, bool *is_new);

// Returns the key's number, or INTERN_NONE.
#define INTERN_NONE SIZE_MAX
size_t intern_find(const struct intern *table, const void *key, size_t length);

// Does the same as intern_number() for a text. Each key's copy is terminated.
size_t intern_text(struct intern *table, const char *text);

void intern_free(struct intern *table);

#endif
