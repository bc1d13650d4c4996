// SPDX-License-Identifier: BSD-2-Clause
// labels_table: a table of labels in print: what was allocated under each. With what has no label
// they add up to the totals.

#ifndef PMEM_CLI_LABELS_TABLE_H
#define PMEM_CLI_LABELS_TABLE_H

#include <stdint.h>

#include "rows/profile.h"
#include "print/clip.h"

// To standard output, largest first; `count` and `around` as for table_most_lines().
void labels_table_print(const struct profile *profile, uint64_t count, unsigned around);

// A line about those that hold most as of the last snapshot that was read, if any hold something.
void labels_add_largest(struct clip *clip, const struct run *run);

#endif
