// SPDX-License-Identifier: BSD-2-Clause
// wrap: wraps lines that are wider than the terminal, between words, and indents what follows.
//
// Lines of tables are already cut to the width (table.h), so only sentences, and names in them, are
// wrapped. Escape sequences (ECMA-48, 5.4) take no columns. If there is no terminal and COLUMNS is
// not set, no line is wrapped.

#ifndef PMEM_CLI_WRAP_H
#define PMEM_CLI_WRAP_H

#include <stddef.h>

enum { WRAP_INDENT = 2 }; // blanks before a wrapped line's second and following parts

// Returns how many of the line's first bytes to print in `columns` columns. That is all bytes if
// they fit, else those up to a blank before a word. A word that begins with a character of `before`
// is preferred. If no blank is there, as many characters as fit are taken, and at least one.
size_t wrap_at(const char *line, size_t length, size_t columns, const char *before);

// Returns how many terminal lines a line takes. 0 columns mean no limit.
size_t wrap_count(const char *line, size_t length, size_t columns);

// Makes stdout wrap the lines that are printed from now on.
void wrap_output(void);

#endif
