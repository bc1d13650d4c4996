// SPDX-License-Identifier: BSD-2-Clause
// wrap: lines that are wider than the terminal go on below, between words and indented.
//
// Lines of tables are cut to its width before (table.h); what is left are sentences, and names in
// them. Escape sequences (ECMA-48, 5.4) take no columns. Without a terminal, and COLUMNS, lines are
// as long as they are.

#ifndef PMEM_CLI_WRAP_H
#define PMEM_CLI_WRAP_H

#include <stddef.h>

enum { WRAP_INDENT = 2 }; // blanks before what goes on

// How many bytes of a line that has so many may stand on one of so many columns: all, or up to a
// blank before a word, one that begins with a character of `before` if there is any; where there is
// no blank, as many characters as have room. At least one.
size_t wrap_at(const char *line, size_t length, size_t columns, const char *before);

// How many lines a line becomes on a terminal of so many columns; 0: no limit.
size_t wrap_count(const char *line, size_t length, size_t columns);

// From here on lines that are printed to stdout are wrapped.
void wrap_output(void);

#endif
