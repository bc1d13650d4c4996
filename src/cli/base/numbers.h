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

size_t numbers_of(struct numbers *numbers, uint64_t word, bool *is_new);

void numbers_free(struct numbers *numbers);

#endif
