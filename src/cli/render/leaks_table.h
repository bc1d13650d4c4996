// SPDX-License-Identifier: BSD-2-Clause
// leaks_table: writes the tables of sources of one process.

#ifndef PMEM_CLI_LEAKS_TABLE_H
#define PMEM_CLI_LEAKS_TABLE_H

#include <stdio.h>

#include "report/report.h"
#include "render/leaks_lines.h"

// Writes the leaks. A verbose style has those of each verdict, and each column. Any other style has
// only those of the first verdict: each other verdict has a line. With --all, leaks that grow too
// little to matter have rows, too.
void leaks_table_print(FILE *to, const struct report_process *process,
	const struct leaks_style *style);

// Writes the sources that do not leak.
void leaks_table_print_others(FILE *to, const struct report_process *process,
	const struct leaks_style *style);

#endif
