// SPDX-License-Identifier: BSD-2-Clause
// remarks: prints a line for a process among many that needs attention, beside what surely leaks.

#ifndef PMEM_CLI_REMARKS_H
#define PMEM_CLI_REMARKS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

// Prints what to know of the processes with this verdict, one a line, the largest growth first: "too
// early: puma 1694: +4.41 MiB in 11m 28s". Without `all`, prints three, and how
// many more there are. Of processes that leak only one is told to grow outside, too.
void remarks_print(FILE *to, const struct report *report, enum report_verdict verdict, bool all);

// Prints which process surely grows faster than what is told of as its leaks: "more than these: resident
// memory of app.js 4711 grows 368 MiB an hour (-v)". With `all`, prints each such process.
void remarks_print_beside(FILE *to, const struct report *report, bool all);

// Prints which process reaches its limit of memory first, if one does within two weeks: "full first: java
// 8233: 2.39 GiB an hour, 1.40 GiB of 2.00 GiB (memory.max), full in 15m 4s". The machine's memory is
// taken by all processes that run on it: "5 processes together: 605 MiB an hour".
void remarks_print_limit(FILE *to, const struct report *report);

// Prints "nothing leaks in 35 processes: 20 nginx, 14 postgres, R 4711; resident memory of R 4711 grows
// 44.9 MiB an hour (--all)". These are all processes of this severity, if there are any. `what` stands
// before their number, `behind` ends the line.
void remarks_print_folded(FILE *to, const struct report *report, enum severity severity, const char *what,
	const char *behind);

// Returns true if a line says that the process has this verdict. A process that leaks has such a line,
// too, if much grows beside: surely outside of blocks, or for too short a time elsewhere.
bool remarks_has(const struct report_process *process, enum report_verdict verdict);

#endif
