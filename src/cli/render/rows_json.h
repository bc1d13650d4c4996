// SPDX-License-Identifier: BSD-2-Clause
// rows_json: writes the rows of `pmem report` and `pmem diff` as JSON. FORMAT.md has the members.

#ifndef PMEM_CLI_ROWS_JSON_H
#define PMEM_CLI_ROWS_JSON_H

#include <stdio.h>

#include "print/rows_table.h"
#include "rows/profile.h"

// Writes the rows that the table would have. `runs` are the processes. A difference has one for
// each of its two moments. `notes` has lines on what the logs lack. It is freed.
void rows_json_print(FILE *to, const struct rows_table *of, struct profile *profile,
	const struct profile_run *runs, size_t run_count, char *notes);

#endif
