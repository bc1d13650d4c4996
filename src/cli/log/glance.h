// SPDX-License-Identifier: BSD-2-Clause
// glance: the snapshots of a log by their summaries alone, several times as fast as log.h has
// them: the lines about their sources are passed over.
//
// So none is proven: there may be some that log_next() does not give, since they are damaged or were
// cut off. Whoever reads the log afterwards sees whether all are there.

#ifndef PMEM_CLI_GLANCE_H
#define PMEM_CLI_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct glanced {
	int64_t time_ms;
	uint64_t live;
	uint64_t inherited; // of these, what a fork's child has from before it alone
	uint64_t run;       // its header's run=
	uint64_t number;
};

// All that are there by now, in their order, to be freed; and how many bytes the log has. NULL: the log
// cannot be read, which is warned of, or it does not tell whose its snapshots are, and which (the
// first pmem's; no run=).
struct glanced *glance(const char *path, size_t *count, uint64_t *bytes);

// A number for the process that its first header names, by pid and host; 0: there is none.
uint64_t glance_process(const char *path);

#endif
