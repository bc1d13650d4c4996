// SPDX-License-Identifier: BSD-2-Clause
// schedule: chooses which snapshots of the logs are moments of the page: all, or as many as can be
// drawn. The first, the last two and the largest snapshot of each process are always chosen. So is
// the one at which all processes together had most live bytes.

#ifndef PMEM_CLI_SCHEDULE_H
#define PMEM_CLI_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/summary_scan.h"

enum { MOMENTS_MOST = 400 }; // limit for snapshots that are not always chosen

// A log, and which of its snapshots are moments. Snapshots are in the order in which log_next()
// returns them.
struct scheduled {
	const char *path;
	bool *is_one; // is_one[n] is true if snapshot number n is a moment
};

struct schedule {
	struct scheduled *logs;
	struct summaries *summaries; // of each log
	size_t count;
	uint64_t snapshots;  // number of snapshots in all logs
	bool has_times;      // true if each snapshot has a time
	// The chosen times, in ascending order. At each time, the last snapshot of each log up to that
	// time is a moment. In a single log, each moment has an element of its own. may_go is true if
	// kept.h may leave the time out.
	struct scheduled_time {
		int64_t time; // Unix time in ms; or if there are no times, the snapshot's number in its log
		bool may_go;
	} *times;
	size_t time_count;
};

// Scans the logs for the totals of their snapshots, or with is_whole reads the logs as log_next()
// does. Prints no warnings. A log that cannot be read gets no snapshots.
void schedule_make(struct schedule *schedule, char **paths, bool is_whole);
void schedule_free(struct schedule *schedule);

#endif
