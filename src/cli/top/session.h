// SPDX-License-Identifier: BSD-2-Clause
// session: runs the terminal while somebody looks. It shows the table of processes, or the sources
// of the opened one, and handles keys.

#ifndef PMEM_CLI_TOP_SESSION_H
#define PMEM_CLI_TOP_SESSION_H

#include "top/process_list.h"
#include "top/source_table.h"

enum {
	REFRESH_MS = 1000, // time between looks for a new snapshot
};

// Runs until the user quits, or the terminal is gone. If there is only one log, its sources are
// shown at once.
void session_run(struct process_list *list, const struct source_table *table);

#endif
