// SPDX-License-Identifier: BSD-2-Clause
// grouping: decides which rows are shown as one row. They have the same id, their stacks have the
// same functions, or they are of one place. A place is the line that a row's text begins with
// (attribution.h), or else the function.
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

enum grouping_by { GROUPING_BY_ID, GROUPING_BY_NAME, GROUPING_BY_PLACE };

// A zeroed struct has no groups, and groups by id.
struct grouping {
	struct intern keys;
	enum grouping_by by;
	// Used by name: true if script lines must also have the same path and line number.
	bool with_lines;
};

// Returns the number of the row's group. Groups are numbered 0, 1, ... in the order of their first
// rows. By name or place, the frames' names must have been looked up (symbols.h). By name, a function
// without a name counts as its module. Sets *is_new, unless it is NULL, to true if this row is the
// group's first.
size_t grouping_number(struct grouping *grouping, const struct row *row, bool *is_new);

// Returns the same as grouping_number(), but INTERN_NONE if no earlier row is in the group.
size_t grouping_find(const struct grouping *grouping, const struct row *row);

// Cuts from the row's stack the callers that `other`, a row of the same place, does not have. The
// row's text (attribution.h) then has only callers that both have. Returns false if it has none: no
// other row can cut more.
bool grouping_cut(struct row *row, const struct row *other);

void grouping_free(struct grouping *grouping);

#endif
