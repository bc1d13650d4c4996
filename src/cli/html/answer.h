// SPDX-License-Identifier: BSD-2-Clause
// answer: writes the answer of `pmem leaks` at the top of the page. It has what leaks, line by line, and a
// row for each process.

#ifndef PMEM_CLI_ANSWER_H
#define PMEM_CLI_ANSWER_H

#include <stdio.h>

#include "html/collect.h"
#include "rows/grouping.h"

// answer_write() writes what all processes leak, and the rows of the processes. answer_write_run()
// writes what one process leaks, and its kind. `places` numbers the lines of source code.
void answer_write(FILE *to, const struct collection *collection, struct grouping *places);
void answer_write_run(FILE *to, const struct report_process *process, struct grouping *places);

#endif
