// SPDX-License-Identifier: BSD-2-Clause
// wrap: wraps lines that are wider than the terminal, between words and with an indent.
//
// Lines of tables are cut to the width before (table.h), so only sentences and names in them are
// wrapped. Escape sequences (ECMA-48, 5.4) take no columns. Without a terminal and COLUMNS, lines
// are not wrapped.

#ifndef PMEM_CLI_WRAP_H
#define PMEM_CLI_WRAP_H

#include <stddef.h>

enum { WRAP_INDENT = 2 }; // the indent of a wrapped line's rest, in blanks

// Returns how many of the line's first bytes fit into so many columns: all, or up to a blank before
// a word. A word that begins with a character of `before` is preferred. Without a blank, it is as
// many characters as fit. At least one.
size_t wrap_at(const char *line, size_t length, size_t columns, const char *before);

// Returns how many terminal lines a line takes with so many columns; 0 columns for no limit.
size_t wrap_count(const char *line, size_t length, size_t columns);

// Wraps lines that are printed to stdout from now on.
void wrap_output(void);

#endif
