// SPDX-License-Identifier: BSD-2-Clause
// parts_table: prints a table of threads, or of labels, which a program sets for its threads
// (pmem.h). A line has what one of them has allocated and freed. Another line has the sum of what
// has no line, so the lines add up to the totals.

#ifndef PMEM_CLI_PARTS_TABLE_H
#define PMEM_CLI_PARTS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "print/clip.h"

// Prints the table: the thread with most churn first, or the label with most live memory. The logs must
// have threads. `count` and `around` are the arguments of table_most_lines(). They are the requested number
// of lines, and how many other lines are on the screen.
void parts_table_print(FILE *to, const struct profile *profile, bool by_label, uint64_t count,
	unsigned around);

// Adds a line that names the labels with most live memory at the last snapshot read. Adds nothing
// if no label has live memory.
void parts_add_largest_labels(struct clip *clip, const struct run *run);

#endif
