// SPDX-License-Identifier: BSD-2-Clause
// schedule: chooses which snapshots of the logs are moments of the page: all, or as many as can be
// drawn. The first, the last and the largest snapshot of each process are always among them.

#ifndef PMEM_CLI_SCHEDULE_H
#define PMEM_CLI_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/summary_scan.h"

enum { MOMENTS_MOST = 400 }; // besides these three

// A log's snapshots, in the order in which log_next() gives them.
struct scheduled {
	const char *path;
	size_t count; // of snapshots
	uint64_t bytes; // the log's bytes when it was scanned
	bool *is_one; // for each snapshot
	struct scanned_snapshot *scanned; // each snapshot, until all are proven; NULL after that
};

struct schedule {
	struct scheduled *logs;
	size_t count;
	uint64_t snapshots;  // of all logs
	bool has_times;      // true if each snapshot has a time
	bool is_thinned;     // true if some snapshots are no moments
	// For several logs: times, in ascending order. At each of them the last snapshot of each log
	// until then is one of its moments. may_go is true for times that may be left out if there are
	// too many.
	struct scheduled_time {
		int64_t time; // Unix time in ms, or the place in its log
		bool may_go;
	} *times;
	size_t time_count;
};

// Scans the logs' summaries, or reads whole logs if `is_whole`. Prints no warnings. A log that
// cannot be read has no snapshots.
void schedule_make(struct schedule *schedule, char **paths, bool is_whole);
void schedule_free(struct schedule *schedule);

#endif
