// SPDX-License-Identifier: BSD-2-Clause
// session: runs `top` on a terminal: shows the table of processes, or the sources of one process,
// and handles keys.

#ifndef PMEM_CLI_TOP_SESSION_H
#define PMEM_CLI_TOP_SESSION_H

#include "top/process_list.h"
#include "top/source_table.h"

enum {
	REFRESH_MS = 1000, // how often the logs are read for new snapshots
};

// Runs until the user quits, or the terminal is closed. If the operand is a single log and no
// folder, the log's sources are shown at once.
void session_run(struct process_list *list, const struct source_table *table);

#endif
