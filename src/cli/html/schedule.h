// SPDX-License-Identifier: BSD-2-Clause
// schedule: which snapshots of the logs are moments of the page: all, or as many as can be drawn,
// among them the first and the last of each process, and the one with most.

#ifndef PMEM_CLI_SCHEDULE_H
#define PMEM_CLI_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/summary_scan.h"

enum { MOMENTS_MOST = 400 }; // but for those

// Of one log, its snapshots in the order in which log_next() gives them.
struct scheduled {
	const char *path;
	size_t count; // of snapshots
	uint64_t bytes; // it had so many
	bool *is_one; // for each
	struct scanned_snapshot *scanned; // each, as long as none is proven; NULL: all are
};

struct schedule {
	struct scheduled *logs;
	size_t count;
	uint64_t snapshots;  // of all
	bool has_times;      // each says when it was written
	bool is_thinned;     // some are no moments
	// Of several logs: times at which each has its last snapshot by then among its moments. They
	// rise; some that may go where that is too much, last.
	struct scheduled_time {
		int64_t time; // Unix time in ms, or place in its log
		bool may_go;
	} *times;
	size_t time_count;
};

// Scans the logs' summaries; `is_whole`: reads them to their ends. In silence; a log that cannot be
// read has no snapshots.
void schedule_make(struct schedule *schedule, char **paths, bool is_whole);
void schedule_free(struct schedule *schedule);

#endif
