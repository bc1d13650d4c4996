// SPDX-License-Identifier: BSD-2-Clause
// row_text: where a source allocates, in words, and its whole stack. Names of its frames must
// have been looked up (symbols.h).

#ifndef PMEM_CLI_ROW_TEXT_H
#define PMEM_CLI_ROW_TEXT_H

#include "rows/resolved_frame.h"
#include "rows/row.h"
#include "print/table.h"

// attribution_print() of it; of {other} and {rest} what they are. To be freed.
char *row_text(const struct row *row);

// The function with its file and line, or with its module; or the place, which has its module.
// To be freed.
char *row_text_frame(const struct resolved_frame *resolved);

// Below a line of a table: the id, then a line a function, innermost first, with its place.
// Nothing of {other} and {rest}.
void row_text_stack(struct text_table *table, const struct row *row);

#endif
