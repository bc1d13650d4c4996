// SPDX-License-Identifier: BSD-2-Clause
// table: prints a table whose columns are as wide as their contents. The last column is text, which
// is cut or wrapped at the terminal's edge. All lines are kept until table_print(), because a
// column's width is known only when all its cells are.

#ifndef PMEM_CLI_TABLE_H
#define PMEM_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/term.h"

enum { TABLE_COLUMNS = 13 };

struct column {
	const char *title;
	// true if the column may be left out, to make room for the last column; the rightmost goes
	// first
	bool may_go;
};

struct text_table;

// Returns how many lines a table may have. `asked` is the requested number; 0 means all lines.
// TABLE_LINES means that no number was requested. The result is then 20, or less on a terminal.
// There it is what `others` other lines leave free, but at least 5.
#define TABLE_LINES UINT64_MAX
uint64_t table_most_lines(uint64_t asked, unsigned others);

// Begins a table. The last column is text, and the other columns are right-aligned. The table
// copies the texts of cells, but not the columns' titles.
struct text_table *table_open(const struct column *columns, size_t count);

// Makes the table wrap the last column's texts instead of cutting them. A wrapped line begins, if
// possible, with a word that starts with a character of `before`.
void table_wrap(struct text_table *table, const char *before);

// Adds a line. `cells` has as many texts as the table has columns; NULL is an empty cell. A column
// without a text in any line is left out.
void table_add(struct text_table *table, enum style style, const char *const *cells);

// Adds a line of text that has no columns, and is not cut.
void table_add_text(struct text_table *table, const char *text);

// Prints the table and frees it.
void table_print(FILE *to, struct text_table *table);

// The whole, 100%, in tenths of a percent. Shares are in this unit, too.
enum { SHARE_WHOLE = 1000 };

// Splits `whole` tenths of a percent among the parts, so that the shares add up exactly. Each share
// is first rounded down. The remaining tenths go to the parts that lost most by rounding. A larger
// part never gets less than a smaller one. If all parts are 0, all shares are 0.
void share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count);

#endif
