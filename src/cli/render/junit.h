// SPDX-License-Identifier: BSD-2-Clause
// junit: writes the answer of `pmem leaks` as JUnit's XML, which systems for continuous integration show. A
// process is a test case, and so are all runs of a job together.

#ifndef PMEM_CLI_JUNIT_H
#define PMEM_CLI_JUNIT_H

#include <stdio.h>

#include "report/failure.h"

// Each process has its answer as its text, whose first line says the verdict. A process fails if the limits
// say so. Without limits it fails if it leaks or grows outside of malloc. A process that is too early or
// not judged is skipped, or an error if that is asked for.
void junit_print(FILE *to, const struct report *report, const struct failure_limits *limits);

#endif
