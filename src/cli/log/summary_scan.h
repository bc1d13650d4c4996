// SPDX-License-Identifier: BSD-2-Clause
// summary_scan: reads only the totals of a log's snapshots. Lines about sources are skipped, so a
// scan is several times as fast as log.h.
//
// A scan may find snapshots that are damaged or cut off. log_next() leaves these out.

#ifndef PMEM_CLI_SUMMARY_SCAN_H
#define PMEM_CLI_SUMMARY_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scanned_snapshot {
	int64_t time_ms;
	uint64_t live;
	// the part of the live bytes that a forked child has from before its fork
	uint64_t inherited;
	uint64_t run;       // run= in the header of the snapshot's run
	uint64_t number;
	bool is_exit;
};

// The snapshots of a log, in the log's order. The caller frees `all`, which is NULL if there are none.
struct summaries {
	struct scanned_snapshot *all;
	size_t count;
	uint64_t bytes; // the log's size
};

// Finds all snapshots in the log so far. Returns false after a warning if the log cannot be read. Also
// returns false if it has no snapshot, no run=, or is of pmem's first version.
bool summary_scan(const char *path, struct summaries *of);

// Finds only whole snapshots, by log.h, in logs of each version. A run without run= gets an arbitrary
// `run`. Returns false only if the log cannot be read.
bool summary_read(const char *path, struct summaries *of);

// Returns a number that identifies the process in the log's first header. The number is made of the
// process's pid and host. Returns 0 if the log has no header.
uint64_t summary_scan_process(const char *path);

// Sets *time_ms to the time of the snapshot at which the logs' live bytes had their greatest sum.
// For each log, the last snapshot up to that time is counted. Nothing is counted before a log's
// first snapshot, or after its process's exit. Returns false if a log has no times, or if there is
// no snapshot.
bool summary_peak(const struct summaries *logs, size_t count, int64_t *time_ms);

// Reads the logs, then calls summary_peak(). Also returns false if a log cannot be opened or read
// twice.
bool summary_peak_of(char **paths, int64_t *time_ms);

#endif
