// SPDX-License-Identifier: BSD-2-Clause
// grouping: says which rows a reader sees as one: those with one id, or, by name, those whose
// stacks have the same functions. A source's id contains offsets into modules, which differ in
// another build, and addresses of code made at run time. Code without names may lead to one
// function on many ways. Lines of a language, and their folders, change from release to release:
// then the names of file and function make a group.

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
	bool with_lines; // by name: lines of a language must also have the same path and number
};

// Returns the number of the row's group: 0, 1, ... in the order of first rows. By name, the frames'
// names must have been looked up (symbols.h). A function without a name counts as its module. Sets
// *is_new, unless NULL, to true if this is the group's first row.
size_t grouping_number(struct grouping *grouping, const struct row *row, bool *is_new);

// Does the same, but returns INTERN_NONE if there is no such group.
size_t grouping_find(const struct grouping *grouping, const struct row *row);

void grouping_free(struct grouping *grouping);

#endif
