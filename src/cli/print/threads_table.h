// SPDX-License-Identifier: BSD-2-Clause
// threads_table: prints a table of threads: what each has allocated and freed. Threads that the log
// does not show are summed up in one line, so lines add up to the totals.

#ifndef PMEM_CLI_THREADS_TABLE_H
#define PMEM_CLI_THREADS_TABLE_H

#include <stdint.h>

#include "rows/profile.h"

// For logs that have threads. Prints to standard output, largest first. `count` and `around` are as
// in table_most_lines().
void threads_table_print(const struct profile *profile, uint64_t count, unsigned around);

#endif
