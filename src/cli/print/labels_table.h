// SPDX-License-Identifier: BSD-2-Clause
// labels_table: prints a table of labels: what was allocated under each. With the memory without a
// label the lines add up to the totals.

#ifndef PMEM_CLI_LABELS_TABLE_H
#define PMEM_CLI_LABELS_TABLE_H

#include <stdint.h>

#include "rows/profile.h"
#include "print/clip.h"

// Prints to standard output, largest first. `count` and `around` are as in table_most_lines().
void labels_table_print(const struct profile *profile, uint64_t count, unsigned around);

// Adds a line about the labels that hold most, as of the last snapshot read. Adds nothing if no
// label holds memory.
void labels_add_largest(struct clip *clip, const struct run *run);

#endif
