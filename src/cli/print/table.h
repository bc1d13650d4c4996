// SPDX-License-Identifier: BSD-2-Clause
// table: prints lines of columns, as wide as their contents. The last column is text, and is cut or
// wrapped at the terminal's edge. All lines are kept until printing, because the widths are known
// only then.

#ifndef PMEM_CLI_TABLE_H
#define PMEM_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/term.h"

enum { TABLE_COLUMNS = 13 };

struct column {
	const char *title;
	bool may_go; // if the last column is too narrow, the rightmost of these go
};

struct text_table;

// Returns how many lines a table may have. `asked` is the requested number, 0 for all. TABLE_LINES
// stands for no request: then it is 20, or what the terminal has room for beside `others` lines,
// and at least 5.
#define TABLE_LINES UINT64_MAX
uint64_t table_most_lines(uint64_t asked, unsigned others);

// The last column is text; the others are right-aligned. All texts are copied, except titles.
struct text_table *table_open(const struct column *columns, size_t count);

// Wraps texts instead of cutting them. A wrapped line begins with a word that starts with one of
// these characters, if there is one.
void table_wrap(struct text_table *table, const char *before);

// Adds a line with as many cells as columns; NULL is an empty cell.
void table_add(struct text_table *table, enum style style, const char *const *cells);

// Adds a line that is no part of the table, and is not cut.
void table_add_text(struct text_table *table, const char *text);

// Prints the table to standard output and frees it.
void table_print(struct text_table *table);

// Tenths of a percent in the whole: shares add up to it.
enum { SHARE_WHOLE = 1000 };

// Splits `whole` tenths among the parts, such that their shares add up exactly. What rounding
// leaves over goes to the parts that lost most by it. A larger part never gets less than a smaller
// one. All shares are 0 if all parts are.
void share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count);

#endif
