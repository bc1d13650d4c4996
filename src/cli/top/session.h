// SPDX-License-Identifier: BSD-2-Clause
// session: the terminal as long as somebody looks: the table of processes, the sources of the one
// that is opened, and what keys do.

#ifndef PMEM_CLI_TOP_SESSION_H
#define PMEM_CLI_TOP_SESSION_H

#include "top/process_list.h"
#include "top/source_table.h"

enum {
	REFRESH_MS = 1000, // how often we look whether there is a new snapshot
};

// Until the user quits, or the terminal is gone. Where there is one log alone, its sources at once.
void session_run(struct process_list *list, const struct source_table *table);

#endif
