// SPDX-License-Identifier: BSD-2-Clause
// rows_table: prints a table with a line for each source. Sources without a line are summed up in
// lines at the end, so the lines add up to the totals. The table shows one moment with shares, or
// the difference of two moments.

#ifndef PMEM_CLI_ROWS_TABLE_H
#define PMEM_CLI_ROWS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rows/match.h"
#include "rows/profile.h"
#include "rows/row.h"

struct rows_table {
	int by;            // enum value: the table is sorted by it, and it is in the first column
	bool differences;  // show how values changed between the rows' two moments
	uint64_t count;    // at most so many sources, as for table_most_lines()
	uint64_t min;      // the smallest row_size() of a source with a line
	struct stack_match match;
	bool stacks;       // show each source's id and stack below its line
	unsigned around;   // how many lines are printed above and below the table
};

// Sources without a line of their own.
struct others {
	struct row sum;
	uint64_t count;
};

void others_add(struct others *others, const struct row *row);

// Writes "3 sources not asked for" into text and returns it; `what` is " not asked for".
char *others_text(char *text, size_t size, const struct others *others, const char *what);

// Prints the table to standard output. Sorts the rows, and looks up the names of the rows that it
// shows.
void rows_table_print(const struct rows_table *of, struct profile *profile);

#endif
