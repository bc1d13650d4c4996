// SPDX-License-Identifier: BSD-2-Clause
// totals: says what a process leaks in all, if several lines of its program leak.

#ifndef PMEM_CLI_TOTALS_H
#define PMEM_CLI_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/lines.h"

// Prints "in all: 363 MiB an hour in app.js 4711, 13.9 MiB in bash 17": processes that leak in three lines
// or more, one of them theirs alone, and in all a tenth more than in the largest. Without `all`, prints
// the two that leak most. Prints nothing if there is no such process, or if only one process leaks: the
// sum of all leaks is its total.
void totals_print(FILE *to, const struct report *report, const struct report_line *lines, size_t count,
	bool all);

#endif
