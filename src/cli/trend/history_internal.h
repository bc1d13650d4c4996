// SPDX-License-Identifier: BSD-2-Clause
// history_internal: the contents of a history (history.h). history.c fills it from snapshots, and
// history_points.c and history_end.c read it. No other file uses the fields of struct history.

#ifndef PMEM_CLI_HISTORY_INTERNAL_H
#define PMEM_CLI_HISTORY_INTERNAL_H

#include "base/numbers.h"
#include "log/moments.h"
#include "log/run.h"
#include "trend/timeline.h"

// Values of the process as a whole that have a history.
enum gauge {
	GAUGE_LIVE,    // live bytes of blocks and of mapped memory
	// GAUGE_RSS, GAUGE_FILE and GAUGE_OUTSIDE only have points if the log's snapshots have
	// their values
	GAUGE_RSS,
	GAUGE_FILE, // resident memory: pages of files, and shared memory
	GAUGE_OUTSIDE, // resident memory that is neither in blocks nor of files
	GAUGES_JUDGED, // findings_make() judges the gauges above
	GAUGE_BLOCKS = GAUGES_JUDGED, // GAUGE_LIVE without mapped memory
	GAUGE_MAPPED, // memory that the program mapped itself
	GAUGE_ALIVE, // number of threads that are alive
	GAUGE_SHARED, // the part of GAUGE_FILE that is shared memory, if snapshots have it
	GAUGES
};

// The history's values of one source.
struct tracked_source {
	const struct source *source;
	struct series series;
	struct sample last;    // values in the last snapshot that showed the source
	uint64_t shown_in;     // number of that snapshot, counted from the history's first
	struct sample origin;  // values that the source had before its first sample
	bool has_origin;       // true once `origin` is set
	struct sample at_exit; // values in the exit's snapshot, if is_at_exit
	bool is_at_exit;       // true if the exit's snapshot shows the source
	// the sources that history_join() has summed up, those first that grew most. NULL if none
	const struct source **joined;
	size_t joined_count;
	size_t joined_most; // the first so many of them have nearly all growth
	bool is_well_known; // set by history_join(), as history_is_well_known()
};

struct history {
	struct run *run;
	struct moment_known *first, *last; // the first and the last snapshot, without the exit's
	struct tracked_source *tracked;
	size_t tracked_count, tracked_room;
	struct source rest; // stands for all sources that are not well known, of kind SOURCE_REST
	struct numbers sources; // maps the address of a source to its index in `tracked`
	struct series gauges[GAUGES];
	struct timeline timeline;
	uint64_t snapshots;
	uint64_t last_number; // the last snapshot's number in the log
	uint64_t first_number;
	bool has_hidden, has_exit, is_over;
	// time and clock time of the last snapshot that may leave out a source that changed
	double hidden_time, hidden_clock;
	bool exit_shows_all;          // the exit's snapshot shows all sources that hold memory
	// values in the exit's snapshot. `clock` and `calls` are set only for GAUGE_LIVE
	struct sample exit[GAUGES];
	// the library writes no snapshot in this many ms after the last one, since the log's rate
	// is limited
	double wait;
	// nothing has changed between the last snapshot and this clock time. 0 if not known
	double silent;
};

#endif
