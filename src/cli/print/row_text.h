// SPDX-License-Identifier: BSD-2-Clause
// row_text: prints where a source allocates, and its whole stack. The names of the frames must have
// been looked up (symbols.h).

#ifndef PMEM_CLI_ROW_TEXT_H
#define PMEM_CLI_ROW_TEXT_H

#include <stdio.h>

#include "rows/attribution.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"
#include "print/table.h"

// Prints attribution_print()'s text of the row. Of mapped memory it begins with the function that
// mapped it: "mmap < grow < main".
void row_text_print(FILE *to, const struct row *row, const struct resolved_stack *stack,
	const struct attribution_marks *marks);

// Returns row_text_print()'s text of the row, or what {other} and {rest} are. The caller frees
// it.
char *row_text(const struct row *row);

// Returns the function with its file and line, or with its module; or the place, which has its
// module. The caller frees it.
char *row_text_frame(const struct resolved_frame *resolved);

// Adds the stack below a line of a table: the id, then a line a function, innermost first, with its
// place. Adds nothing for {other} and {rest}.
void row_text_stack(struct text_table *table, const struct row *row);

#endif
