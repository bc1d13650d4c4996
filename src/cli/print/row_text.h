// SPDX-License-Identifier: BSD-2-Clause
// row_text: prints where a source allocates, and its whole stack. The names of the frames must have
// been looked up before (symbols.h).

#ifndef PMEM_CLI_ROW_TEXT_H
#define PMEM_CLI_ROW_TEXT_H

#include <stdio.h>

#include "rows/attribution.h"
#include "rows/resolved_frame.h"
#include "rows/row.h"
#include "print/table.h"

enum { ROW_TEXT_IN_LINE = 40 }; // columns for a text within a line

// Prints the row's text as attribution_print() does. For mapped memory, first prints the function
// that mapped it: "mmap < grow < main".
void row_text_print(FILE *to, const struct row *row, const struct resolved_stack *stack,
	const struct attribution_marks *marks);

// Returns the text that row_text_print() prints for the row. For {other} and {rest}, returns their
// names with an explanation. The caller frees the text.
char *row_text(const struct row *row);

// Returns that text for use within a line: cut to `columns`, and without unfit characters. The caller frees
// the text.
char *row_text_cut(const struct row *row, size_t columns);

// Returns the frame's function with its file and line, or with its module. For a frame without a
// function's name, returns a place such as "git(+0x1f)". The caller frees the text.
char *row_text_frame(const struct resolved_frame *resolved);

// Adds the row's stack to the table, below the row's line. First comes the id, then one line for
// each function, innermost first. Adds nothing for {other} and {rest}.
void row_text_stack(struct text_table *table, const struct row *row);

#endif
