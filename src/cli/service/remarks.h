// SPDX-License-Identifier: BSD-2-Clause
// remarks: prints a line for a process among many that needs attention, beside what surely leaks.

#ifndef PMEM_CLI_REMARKS_H
#define PMEM_CLI_REMARKS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

// Prints a line for each process with this verdict, the largest growth first: "too early: puma 1694: +4.41
// MiB in 11m 28s". Without `all`, prints three lines and the number of the other processes. Of the
// processes that leak, only one then gets an "outside" line.
void remarks_print(FILE *to, const struct report *report, enum report_verdict verdict, bool all);

// Prints which process's resident memory surely grows faster than its printed leaks: "more than these:
// resident memory of app.js 4711 grows 368 MiB an hour (-v)". With `all`, prints each such process.
void remarks_print_beside(FILE *to, const struct report *report, bool all);

// Prints which process reaches its memory limit first, if one does within two weeks: "full first: java
// 8233: 2.39 GiB an hour, 1.40 GiB of 2.00 GiB (memory.max), full in 15m 4s". If the limit is the machine's
// memory, prints the rate of all processes that run: "5 processes together: 605 MiB an hour".
void remarks_print_limit(FILE *to, const struct report *report);

// Prints "nothing leaks in 35 processes: 20 nginx, 14 postgres, R 4711; resident memory of R 4711 grows
// 44.9 MiB an hour (--all)". Names all processes of this severity. Prints nothing if there are none. `what`
// stands before their number, `behind` ends the line.
void remarks_print_folded(FILE *to, const struct report *report, enum severity severity, const char *what,
	const char *behind);

// Returns true if remarks_print() has a line for the process and this verdict. A process that leaks has
// further lines for much growth beside its leaks. That is outside of blocks, or in sources not judged yet.
bool remarks_has(const struct report_process *process, enum report_verdict verdict);

// Prints each advice once, of the first process that has it: "chat.js 14205: 201 sources are in code ...".
void remarks_print_advice(FILE *to, const struct report *report);

#endif
