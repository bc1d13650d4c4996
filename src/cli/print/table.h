// SPDX-License-Identifier: BSD-2-Clause
// table: lines of columns, as wide as what is in them; the last is text and is cut, or wrapped, where
// the terminal ends. Kept until it is printed, since only then all is known that a column holds.

#ifndef PMEM_CLI_TABLE_H
#define PMEM_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/term.h"

enum { TABLE_COLUMNS = 13 };

struct column {
	const char *title;
	bool may_go; // where the last column would be too narrow, the rightmost of these go
};

struct text_table;

// How many lines a table may have when so many were asked for: 0: all; TABLE_LINES: none was, so
// 20, or as many as the terminal has room for beside so many others, and 5 at least.
#define TABLE_LINES UINT64_MAX
uint64_t table_most_lines(uint64_t asked, unsigned others);

// The last of the columns is the text; the others are to the right. All texts are copied, but
// for titles.
struct text_table *table_open(const struct column *columns, size_t count);

// Texts are not cut but go on below: from a word on that begins with one of these, if there is one.
void table_wrap(struct text_table *table, const char *before);

// A line of the table: as many cells as columns. NULL: an empty one.
void table_add(struct text_table *table, enum style style, const char *const *cells);

// A line below it that is no part of the table, and is not cut.
void table_add_text(struct text_table *table, const char *text);

// Prints it to standard output and frees it.
void table_print(struct text_table *table);

// Parts of a whole in tenths of a percent that add up.
enum { SHARE_WHOLE = 1000 };

// What each part has of their sum, where all have `whole` tenths together: they add up to that
// exactly (what rounding leaves over goes to those that lost most by it). A larger part never
// gets less than a smaller one. All 0 when all parts are.
void share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count);

#endif
