// SPDX-License-Identifier: BSD-2-Clause
// rows_table: prints a table with a line for each source. The sums of sources without a line
// follow, so lines add up to the totals. It shows one moment with shares, or the difference of two.

#ifndef PMEM_CLI_ROWS_TABLE_H
#define PMEM_CLI_ROWS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows/match.h"
#include "rows/profile.h"
#include "rows/row.h"

struct rows_table {
	int by;            // enum value: the first column, and the sort order
	bool differences;  // between the two moments of the rows
	uint64_t count;    // the most sources, as for table_most_lines()
	uint64_t min;      // the least bytes, as row_size() has them
	struct stack_match match;
	bool stacks;       // each source's id and stack below it
	unsigned around;   // the lines above and below the table
};

// Sources without a line of their own.
struct others {
	struct row sum;
	uint64_t count;
};

void others_add(struct others *others, const struct row *row);

// "3 sources not asked for". Writes into text and returns it.
char *others_text(char *text, size_t size, const struct others *others, const char *what);

// Prints to standard output. Sorts the rows, and looks up the names of those that it shows.
void rows_table_print(const struct rows_table *of, struct profile *profile);

#endif
