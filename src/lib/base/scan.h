// SPDX-License-Identifier: BSD-2-Clause
// scan: finds words and numbers in a text, such as the content of a file in /proc (proc(5)).
//
// Who may call: any thread, at any moment. A text ends in a NUL.

#ifndef PMEM_SCAN_H
#define PMEM_SCAN_H

#include <stdbool.h>
#include <stdint.h>

// Numbers below this are read exactly. A larger number is read as some number of at least this
// size.
#define SCAN_NUMBER_MOST (UINT64_C(1) << 60)

// Parses a decimal number without a sign. Returns the address after the digits, or `at` if there
// are no digits.
const char *scan_number(const char *at, uint64_t *number);

// Returns the beginning of the next line, or NULL if there is none.
const char *scan_next_line(const char *at);

static inline bool
begins_with(const char *text, const char *with)
{
	while (*with && *text == *with)
		text++, with++;
	return !*with;
}

// Finds the number after `name` in the line of the text that begins with the name. Blanks and tabs
// may lie between name and number. Returns false if no line begins with the name, or if no number
// follows the name.
bool scan_number_after(const char *text, const char *name, uint64_t *number);

#endif
