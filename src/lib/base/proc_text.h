// SPDX-License-Identifier: BSD-2-Clause
// proc_text: finds numbers in the text of a file of /proc or of a control group (proc(5),
// cgroups(7)).
//
// Who may call: any thread, at any moment. A text ends in a NUL.

#ifndef PMEM_PROC_TEXT_H
#define PMEM_PROC_TEXT_H

#include <stdbool.h>
#include <stdint.h>

// A number of PROC_NUMBER_MOST or more, in the text, becomes at least PROC_NUMBER_MOST.
#define PROC_NUMBER_MOST (UINT64_C(1) << 60)

// Parses a decimal number without a sign. Returns the address behind the digits. That is `at` if
// there are none.
const char *proc_parse_number(const char *at, uint64_t *number);

// Returns the beginning of the next line, or NULL if there is none.
const char *proc_next_line(const char *at);

bool proc_begins(const char *at, const char *with);

// Finds the number after `name` in the line of the text that begins with the name. Blanks and tabs
// may lie between them. Returns false if there is no such line.
bool proc_find_number(const char *text, const char *name, uint64_t *number);

#endif
