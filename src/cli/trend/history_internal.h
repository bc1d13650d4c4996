// SPDX-License-Identifier: BSD-2-Clause
// history_internal: the contents of a history (history.h). history.c fills it from snapshots, and
// history_points.c reads it. No other file uses it.

#ifndef PMEM_CLI_HISTORY_INTERNAL_H
#define PMEM_CLI_HISTORY_INTERNAL_H

#include "base/numbers.h"
#include "log/run.h"
#include "trend/timeline.h"

// Values of the process as a whole that have a history.
enum gauge {
	GAUGE_LIVE,    // mapped memory among it
	GAUGE_RSS,     // this and the following only if snapshots have them
	GAUGE_FILE,
	GAUGE_OUTSIDE, // in memory, and neither in blocks nor of files
	GAUGES_JUDGED,
	GAUGE_BLOCKS = GAUGES_JUDGED, // live without mapped memory
	GAUGE_MAPPED,
	GAUGES
};

// One source.
struct tracked_source {
	const struct source *source;
	struct series series;
	struct sample last;    // values when it was last shown
	uint64_t shown_in;     // number of the history's snapshot that last showed it
	struct sample origin;  // values before its first sample
	bool has_origin;       // origin is known
	struct sample at_exit;
	bool is_at_exit;       // the exit's snapshot shows it
};

struct history {
	struct run *run;
	struct tracked_source *tracked;
	size_t tracked_count, tracked_room;
	struct numbers sources; // by address: each number is an index in `tracked`
	struct series gauges[GAUGES];
	struct timeline timeline;
	uint64_t snapshots;
	uint64_t last_number; // the log's number of the last snapshot
	uint64_t first_number;
	bool has_hidden, has_exit;
	double hidden_time, hidden_clock; // time of the last snapshot that may have hidden a source
	bool exit_shows_all;          // the exit's snapshot shows all sources that hold memory
	struct sample exit[GAUGES];   // values at exit. GAUGE_LIVE has clock and calls, too
	double wait;                  // ms behind the last snapshot in which the log may not write
	double silent;                // clock time until which nothing changed. 0 if not known
};

#endif
