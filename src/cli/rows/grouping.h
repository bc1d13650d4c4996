// SPDX-License-Identifier: BSD-2-Clause
// grouping: decides which rows are shown as one row. Rows with the same id are one group. With
// by_name, rows whose stacks have the same functions are one group.
//
// Grouping by name is for comparing two builds. A source's id contains offsets into modules, which
// differ in another build, and addresses of code made at run time. Several ids may also differ only
// in code without names on the way to one function. By name, these are one group. Script lines
// (attribution.h) have other line numbers and folders in another release. So by name, a script line
// is compared only by the names of its file and function.

#ifndef PMEM_CLI_GROUPING_H
#define PMEM_CLI_GROUPING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intern.h"
#include "rows/row.h"

// A zeroed struct has no groups.
struct grouping {
	struct intern keys;
	bool by_name;
	// Used with by_name: true if script lines must also have the same path and line number.
	bool with_lines;
};

// Returns the number of the row's group. Groups are numbered 0, 1, ... in the order of their first
// rows. By name, the frames' names must have been looked up (symbols.h). A function without a name
// counts as its module. Sets *is_new, unless it is NULL, to true if this row is the group's first.
size_t grouping_number(struct grouping *grouping, const struct row *row, bool *is_new);

// Returns the same as grouping_number(), but INTERN_NONE if no earlier row is in the group.
size_t grouping_find(const struct grouping *grouping, const struct row *row);

void grouping_free(struct grouping *grouping);

#endif
