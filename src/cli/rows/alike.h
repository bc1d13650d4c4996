// SPDX-License-Identifier: BSD-2-Clause
// alike: which rows are one to whoever reads them: those of the same id, or, by name, those on
// whose stacks the same functions stand. A source's id has offsets into modules in it, which
// are other ones in another build, and addresses where code was made at run time; and one function
// may be reached by many ways that have no name. Lines of a language move from release to release,
// and folders with them: then a file's name and a function's are one.

#ifndef PMEM_CLI_ALIKE_H
#define PMEM_CLI_ALIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/intern.h"
#include "rows/row.h"

// A zeroed one has no rows.
struct alike {
	struct intern keys;
	bool by_name;
	bool with_lines; // by name: lines of a language only where path and number are the same, too
};

// A number for the row, the same for all that are alike: 0, 1, ... as they come. By name, the
// names of its frames must have been looked up (symbols.h); where a function has none, its
// module's counts. *is_new, unless NULL: none alike came before.
size_t alike_number(struct alike *alike, const struct row *row, bool *is_new);

// The same, or INTERN_NONE where none alike came before.
size_t alike_find(const struct alike *alike, const struct row *row);

void alike_free(struct alike *alike);

#endif
