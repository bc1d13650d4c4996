// SPDX-License-Identifier: BSD-2-Clause
// threads_table: prints a table of threads, with what each has allocated and freed. One line has
// the sum of the threads without a line of their own. So the lines add up to the totals.

#ifndef PMEM_CLI_THREADS_TABLE_H
#define PMEM_CLI_THREADS_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "rows/profile.h"

// Prints the table, the thread with most churn first. The logs must have threads. `count` and
// `around` are the arguments of table_most_lines(): the requested number of lines, and how many
// other lines there are on the screen.
void threads_table_print(FILE *to, const struct profile *profile, uint64_t count, unsigned around);

#endif
