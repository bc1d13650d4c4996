// SPDX-License-Identifier: BSD-2-Clause
// grouping: which rows are one to a reader: those of one id, or, by name, those whose stacks have
// the same functions. A source's id contains offsets into modules, which differ in another build, and
// addresses of code made at run time. One function may be reached by many ways that have no name.
// Lines of a language move from release to release, and folders with them: then a file's name and a
// function's name make a group.

#ifndef PMEM_CLI_GROUPING_H
#define PMEM_CLI_GROUPING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intern.h"
#include "rows/row.h"

// A zeroed one has no rows.
struct grouping {
	struct intern keys;
	bool by_name;
	bool with_lines; // by name: lines of a language only where path and number are the same, too
};

// The number of the row's group: 0, 1, ... as they come. By name, the names of its frames must have
// been looked up (symbols.h); where a function has none, its module's counts. *is_new, unless NULL:
// the group had no row before.
size_t grouping_number(struct grouping *grouping, const struct row *row, bool *is_new);

// The same, or INTERN_NONE where there is no such group.
size_t grouping_find(const struct grouping *grouping, const struct row *row);

void grouping_free(struct grouping *grouping);

#endif
