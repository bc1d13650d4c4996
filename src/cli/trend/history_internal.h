// SPDX-License-Identifier: BSD-2-Clause
// history_internal: what a history (history.h) is made of: for history.c, which takes snapshots
// into it, and history_points.c, which says what is known. Nobody else looks inside.

#ifndef PMEM_CLI_HISTORY_INTERNAL_H
#define PMEM_CLI_HISTORY_INTERNAL_H

#include "base/numbers.h"
#include "log/run.h"
#include "trend/timeline.h"

// What of a process as a whole there is a history of.
enum gauge {
	GAUGE_LIVE,
	GAUGE_RSS,     // the following only where snapshots have them
	GAUGE_FILE,
	GAUGE_OUTSIDE, // in memory, and neither live nor of files
	GAUGES
};

// One source.
struct tracked_source {
	const struct source *source;
	struct series series;
	struct sample last;    // as it was last shown
	uint64_t shown_in;     // of the history's snapshots
	struct sample origin;  // as it was before its first sample
	bool has_origin;       // that is known
	struct sample at_exit;
	bool is_at_exit;       // the exit's snapshot shows it
};

struct history {
	struct run *run;
	struct tracked_source *tracked;
	size_t tracked_count, tracked_room;
	struct numbers sources; // by address; numbers are those in `tracked`
	struct series gauges[GAUGES];
	struct timeline timeline;
	uint64_t snapshots;
	uint64_t last_number; // of the log's snapshots
	uint64_t first_number;
	bool has_hidden, has_exit;
	double hidden_time, hidden_clock; // of the last snapshot that may have hidden a source
	bool exit_shows_all;          // that hold memory
	struct sample exit[GAUGES];   // of all as it ended; clock and calls of GAUGE_LIVE
	double wait;                  // ms that the log's rate may keep it silent behind the last snapshot
	double silent;                // until then by the clock nothing moved; 0: not known
};

#endif
