// SPDX-License-Identifier: BSD-2-Clause
// summary_scan: reads only the summaries of a log's snapshots. It skips the lines about sources, so
// it is several times as fast as log.h.
//
// A scanned snapshot may be damaged or cut off: only log_next() leaves such snapshots out.

#ifndef PMEM_CLI_SUMMARY_SCAN_H
#define PMEM_CLI_SUMMARY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scanned_snapshot {
	int64_t time_ms;
	uint64_t live;
	uint64_t inherited; // the part of live that a fork's child has only from before it
	uint64_t run;       // the run= of its header
	uint64_t number;
};

// Returns all snapshots so far, in the log's order; the caller frees them. Sets *bytes to the log's
// size. Returns NULL after a warning if the log cannot be read. Returns NULL also if the log has no
// run=, or is in the first pmem's format.
struct scanned_snapshot *summary_scan(const char *path, size_t *count, uint64_t *bytes);

// Returns a number for the process that the first header names, by pid and host. 0 if there is
// none.
uint64_t summary_scan_process(const char *path);

#endif
