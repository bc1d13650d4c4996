// SPDX-License-Identifier: BSD-2-Clause
// who_runs: says which of many processes still run. A process that has ended no longer leaks.

#ifndef PMEM_CLI_WHO_RUNS_H
#define PMEM_CLI_WHO_RUNS_H

#include <stdint.h>
#include <stdio.h>

#include "report/report.h"

// Returns when any of the processes last wrote a snapshot; 0 if not known.
int64_t who_runs_last(const struct report *report);

// Says how much the running processes leak, if other processes that leak have ended: "5 of those that leak
// run still, and leak 14.3 MiB an hour; 2 that leak (~) were killed, or called _exit()". If no process is
// known to run, says when one of them last wrote a snapshot.
void who_runs_print(FILE *to, const struct report *report);

#endif
