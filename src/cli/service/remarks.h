// SPDX-License-Identifier: BSD-2-Clause
// remarks: prints a line for a process among many that needs attention, but does not surely leak.

#ifndef PMEM_CLI_REMARKS_H
#define PMEM_CLI_REMARKS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

// Prints what to know of the processes with this verdict, one a line: "too early: puma 1694:
// +4.41 MiB in 11m 28s". If there are too many, only says how many more there are.
void remarks_print(FILE *to, const struct report *report, enum report_verdict verdict);

// Returns true if a line says that the process has this verdict. A process that leaks has one, too,
// if memory outside of blocks surely grows beside.
bool remarks_has(const struct report_process *process, enum report_verdict verdict);

#endif
