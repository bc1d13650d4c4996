// SPDX-License-Identifier: BSD-2-Clause
// summary_scan: the snapshots of a log by their summaries alone. It skips the lines about sources,
// so it is several times as fast as log.h.
//
// No scanned snapshot is proven: log_next() leaves out those that are damaged or cut off. Whoever
// reads the log afterwards sees which are whole.

#ifndef PMEM_CLI_SUMMARY_SCAN_H
#define PMEM_CLI_SUMMARY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scanned_snapshot {
	int64_t time_ms;
	uint64_t live;
	uint64_t inherited; // of these, what a fork's child has from before it alone
	uint64_t run;       // its header's run=
	uint64_t number;
};

// All that are there by now, in their order, to be freed; and how many bytes the log has. NULL: the log
// cannot be read, which is warned of, or it does not tell whose its snapshots are, and which (the
// first pmem's; no run=).
struct scanned_snapshot *summary_scan(const char *path, size_t *count, uint64_t *bytes);

// A number for the process that its first header names, by pid and host; 0: there is none.
uint64_t summary_scan_process(const char *path);

#endif
