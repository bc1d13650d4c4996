// SPDX-License-Identifier: BSD-2-Clause
// totals: says what a process leaks in all, if several lines of its program leak.

#ifndef PMEM_CLI_TOTALS_H
#define PMEM_CLI_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/lines.h"

// Prints "in all: 363 MiB an hour in app.js 4711, 13.9 MiB in bash 17". A process is printed if it leaks in
// at least three lines, one of them its own. Its total must exceed its largest line by a tenth. Without
// `all`, prints the two that leak most. Prints nothing if only one process leaks: its total is the sum of
// all leaks.
void totals_print(FILE *to, const struct report *report, const struct report_line *lines, size_t count,
	bool all);

#endif
