// SPDX-License-Identifier: BSD-2-Clause
// labels_table: prints a table of labels, which a program sets for its threads (pmem.h), with what
// was allocated under each. One line has the memory without a label, so the lines add up to the
// totals.

#ifndef PMEM_CLI_LABELS_TABLE_H
#define PMEM_CLI_LABELS_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"
#include "print/clip.h"

// Prints the table, the label with most live memory first. `count` and `around`
// are the arguments of table_most_lines(): the requested number of lines, and how many other lines
// there are on the screen.
void labels_table_print(FILE *to, const struct profile *profile, uint64_t count, unsigned around);

// Adds a line that names the labels with most live memory at the last snapshot read. Adds nothing
// if no label has live memory.
void labels_add_largest(struct clip *clip, const struct run *run);

#endif
