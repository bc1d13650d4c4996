// SPDX-License-Identifier: BSD-2-Clause
// who_runs: says which of many processes run still. What has ended leaks no more, and nobody is woken for it.

#ifndef PMEM_CLI_WHO_RUNS_H
#define PMEM_CLI_WHO_RUNS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

// Returns true if a process is known to run, or was heard of lately.
bool who_runs_some(const struct report *report);

// Says how much those leak that run, if others that leak are over: "5 of those that leak run still, and leak
// 14.3 MiB an hour". If no process is known to run, says when the last of them was heard of.
void who_runs_print(FILE *to, const struct report *report);

#endif
