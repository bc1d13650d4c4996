// SPDX-License-Identifier: BSD-2-Clause
// numbers: numbers 64-bit words: 0, 1, ... in the order in which they were first seen. It is like
// intern.h, but stores the word in its slot. With a hundred thousand words a look-up takes a third
// of the time.

#ifndef PMEM_CLI_NUMBERS_H
#define PMEM_CLI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero is an empty table.
struct numbers {
	struct number {
		uint64_t word;
		uint32_t number; // number + 1; 0 if free
	} *slots;
	size_t count, slot_count; // a power of two, at least twice the count
};

// A random seed, so that nobody can choose words that collide.
extern uint64_t numbers_seed;

static inline uint64_t
numbers_hash(uint64_t word)
{
	uint64_t hash = (word ^ numbers_seed) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

size_t numbers_of(struct numbers *numbers, uint64_t word, bool *is_new);

// Returns the word's number, or NUMBERS_NONE.
#define NUMBERS_NONE SIZE_MAX
size_t numbers_find(const struct numbers *numbers, uint64_t word);

void numbers_free(struct numbers *numbers);

#endif
