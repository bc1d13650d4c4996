// SPDX-License-Identifier: BSD-2-Clause
// numbers: numbers for words of 64 bits: 0, 1, ... in the order in which they were first seen. As
// intern.h, but a word lies where it is looked for, so of a hundred thousand each takes a third of
// the time.

#ifndef PMEM_CLI_NUMBERS_H
#define PMEM_CLI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero: an empty table.
struct numbers {
	struct number {
		uint64_t word;
		uint32_t number; // + 1; 0: free
	} *slots;
	size_t count, slot_count; // a power of two, at least twice the count
};

// Mixed so that nobody knows beforehand which words meet.
extern uint64_t numbers_seed;

static inline uint64_t
numbers_hash(uint64_t word)
{
	uint64_t hash = (word ^ numbers_seed) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

size_t numbers_of(struct numbers *numbers, uint64_t word, bool *is_new);

// Its number, or NUMBERS_NONE.
#define NUMBERS_NONE SIZE_MAX
size_t numbers_find(const struct numbers *numbers, uint64_t word);

void numbers_free(struct numbers *numbers);

#endif
