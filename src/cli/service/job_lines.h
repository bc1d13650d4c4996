// SPDX-License-Identifier: BSD-2-Clause
// job_lines: prints a line for each program whose short runs were compared (report/jobs.h).

#ifndef PMEM_CLI_JOB_LINES_H
#define PMEM_CLI_JOB_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "report/jobs.h"

// Prints "leaks: rotate: 200 of 200 runs leave 1.0 MiB to 3.5 MiB, load rotate.c:7 < main: ...", a
// line for each program's worst place, at most ten. With `all`, prints a line for each place. Programs
// that leave nothing are named in one line, with JOBS_OTHER. `jobs` may be NULL.
enum job_lines { JOBS_THAT_LEAK, JOBS_OTHER };
void job_lines_print(FILE *to, const struct report_jobs *jobs, enum job_lines which, bool all);

// Returns the text of the job's line after the program's name. The caller frees the text.
char *job_lines_text(const struct report_job *job);

#endif
