// SPDX-License-Identifier: BSD-2-Clause
// collect: reads the logs, and keeps for each process what the page shows.

#ifndef PMEM_CLI_COLLECT_H
#define PMEM_CLI_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/jobs.h"
#include "report/report.h"
#include "html/schedule.h"
#include "service/process_result.h"

// A snapshot that the page may show.
struct page_moment {
	struct moment_known *known;
	uint64_t order;       // the snapshot's index in its log
	uint64_t least, most; // lowest and highest live bytes in the snapshots since the moment before
};

struct collected {
	struct log *log;
	size_t log_number;
	struct run *run;
	struct page_moment *moments;
	size_t moment_count, moment_room;
	// the lowest and the highest live bytes in the `since` snapshots after the last moment
	uint64_t least, most, since;
	struct history *history;
	struct process_result result;
	struct report_process report; // its rows lie in the log
	char *words;          // the sentences that `pmem leaks` prints of the process, one a line
};

struct collection {
	// in the order of the logs, and within a log in the order of their first snapshots
	struct collected *runs;
	size_t count, room;
	const struct schedule *schedule;
	struct report_jobs jobs;
	struct report report; // on all processes that report_settle() keeps
	char *words; // sentences on all processes together; NULL if there is only one process
	char *notes; // notes on what the logs lack
	bool is_good; // true if no log was damaged
};

// Reads the logs, and warns of errors in them. With `was_told`, does not warn, since an earlier
// call has. Returns false if a log has other snapshots than were scheduled. The caller must then
// make the schedule anew, from whole logs. If collect() returns true, what it loaded is never
// freed.
bool collect(struct collection *collection, const struct schedule *schedule, bool was_told);

#endif
