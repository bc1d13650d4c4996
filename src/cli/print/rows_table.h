// SPDX-License-Identifier: BSD-2-Clause
// rows_table: prints a table with a line for each source. Sources without a line are summed up in
// lines at the end. So the lines add up to the totals. The table shows one moment with shares, or
// the difference of two moments.

#ifndef PMEM_CLI_ROWS_TABLE_H
#define PMEM_CLI_ROWS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/match.h"
#include "rows/profile.h"
#include "rows/row.h"

struct rows_table {
	// which value (enum value) the table is sorted by; this value has the first column
	int by;
	bool differences;  // true to show how values changed between the rows' two moments
	// the most sources with a line; a number, or 0 or TABLE_LINES, as in table_most_lines()
	uint64_t count;
	uint64_t min;      // a source with a smaller row_size() gets no line
	struct stack_match match;
	bool stacks;       // true to show each stack by itself, with its id and frames below its line
	bool by_name;      // true if rows are of equal names already (diff --by-name)
	unsigned around;   // how many lines are printed above and below the table
};

// Sources without a line of their own.
struct others {
	struct row sum;
	uint64_t count;
};

void others_add(struct others *others, const struct row *row);

// Writes the number of sources, followed by `what`: "3 sources not asked for" if `what` is " not
// asked for". Returns text.
char *others_text(char *text, size_t size, const struct others *others, const char *what);

// Which rows of a profile have a line of their own.
struct rows_choice {
	size_t shown;        // how many rows have a line; they are the first ones in the profile
	size_t sources;      // how many of the shown rows are sources
	struct others more;  // sources beyond the requested number, or smaller than --min
	struct others idle;  // sources whose value in the sort column, or its difference, is 0
	struct others unwanted; // sources that --match, --not or --thread leaves out
};

// Sorts the profile's rows, moves those that get a line to the front, and looks up their names.
// Sums up the other rows. With `joins`, first makes one row of all rows of a place
// (profile_join()).
struct rows_choice rows_choose(const struct rows_table *of, struct profile *profile, bool joins);

// Prints the table. Sorts the profile's rows, and looks up the names of the rows that have a line.
void rows_table_print(FILE *to, const struct rows_table *of, struct profile *profile);

#endif
