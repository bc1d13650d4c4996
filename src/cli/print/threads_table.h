// SPDX-License-Identifier: BSD-2-Clause
// threads_table: a table of threads in print: what each has allocated and freed. What is not told
// of one by one is a line of its own, so that lines add up to the totals.

#ifndef PMEM_CLI_THREADS_TABLE_H
#define PMEM_CLI_THREADS_TABLE_H

#include <stdint.h>

#include "rows/profile.h"

// Of logs that tell of threads. To standard output, largest first; `count` and `around` as for
// table_most_lines().
void threads_table_print(const struct profile *profile, uint64_t count, unsigned around);

#endif
