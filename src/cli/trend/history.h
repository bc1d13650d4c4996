// SPDX-License-Identifier: BSD-2-Clause
// history: how the sources of a run, and the process, changed from snapshot to snapshot, for
// trend.h to judge. Memory is bounded: SERIES_MAX points for each source that changed.
//
// Time is the process's own, as in timeline.h. If a log has no clock times, snapshot numbers
// replace them.
//
// A source has a point only for windows in which its bytes are known. These are windows that show
// the source, and windows in which it provably did not change. source_is_exact() (certainty.h)
// proves that. So does the next entry of the source if it shows the same values as the last.
//
// The snapshot written at exit is no moment of the process's life, since all may be freed by then.
// The exit's snapshot only tells the values of the snapshot before, and which sources did not
// change since. Silence of a running process says the same, or of one that ran until its exit:
// changes write snapshots.
//
// The work right before the exit does not count either, if it is unusual. That work is the last
// hundredth of the time, or the last window of a short log. Work is unusual if it takes a tenth of
// the windows, or frees half of live.

#ifndef PMEM_CLI_HISTORY_H
#define PMEM_CLI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log.h"
#include "trend/history_internal.h"

// Opens an empty history for snapshots to come. Uses both marks of the run.
struct history *history_open(struct run *run);
void history_close(struct history *history);

const struct run *history_run(const struct history *history);

// Adds a snapshot of this run, which log_next() has just returned.
void history_add(struct history *history, const struct snapshot *snapshot);

// Notes that the process is running at this time.
void history_lives(struct history *history, int64_t now_ms);

// The sources that changed, numbered in the order of their first change.
size_t history_sources(const struct history *history);
const struct source *history_source(const struct history *history, size_t number);

// Writes the windows in which the source is known. Returns the number of points, at most
// TREND_MAX.
size_t history_points(struct history *history, size_t number, struct trend_point *points);
size_t history_gauge(struct history *history, enum gauge gauge, struct trend_point *points);

// Writes the points of a source behind the process's start. Each span has a point, so there are
// more points than windows. Returns 0 if the start was not most of the work, or was long.
size_t history_points_behind_start(struct history *history, size_t number,
	struct trend_point *points);

// Writes the points of a source in some 16 to 32 windows of equal clock time. Returns 0 if the log
// has no times.
size_t history_points_by_clock(struct history *history, size_t number, struct trend_point *points);

// Returns the bytes when it was last seen.
double history_last(const struct history *history, size_t number);
double history_gauge_last(const struct history *history, enum gauge gauge);

// Sets the source's bytes in the exit's snapshot. Returns false if there is none, or it does not
// tell.
bool history_at_exit(const struct history *history, size_t number, double *bytes);

// What is known at a time behind the last snapshot, of a source that was known in it.
struct history_end {
	double clock;
	double bytes; // the source's bytes
	double calls; // of the whole process until then
	bool is_silent; // all further growth came soon behind the last snapshot
};

// These return false if nothing is known.
bool history_end(const struct history *history, size_t number, struct history_end *end);
bool history_gauge_end(const struct history *history, enum gauge gauge, struct history_end *end);

// Returns true if snapshots may have hidden changed sources only at the start, or never. The start
// is the first tenth of the time and of the work. Behind it every change of a source is shown.
bool history_hides_at_start(const struct history *history);

// Returns the time, as in points, at which the process has its sources. The clock at that point is
// at most `latest`.
double history_settled(const struct history *history, double latest);

struct history_span {
	uint64_t snapshots;  // without the exit's snapshot
	size_t windows;   // that have snapshots
	size_t behind_start; // the most points that there are behind the start. 0 if there is no start
	bool has_times;   // false if snapshot numbers replace times
	int64_t start;    // of the first snapshot: Unix time in ms, or its number
	int64_t duration; // by the clock, to the last snapshot
	int64_t silent;   // clock time behind the last snapshot without a change. 0 if not known
	double end;       // time of the last snapshot, as in points
	double window;    // time at which the last window begins
	bool has_exit;    // there was a snapshot at exit, too
	bool has_end;     // the work right before the exit is left out
	bool begins_late; // there were snapshots before the first one here
	double age;       // of the process at the first snapshot, in ms. 0 if not known
};
struct history_span history_span(const struct history *history);

// Returns true if the process was silent behind the last snapshot for longer than its history. It
// must also be silent for min_time milliseconds or more.
bool history_stands_still(const struct history_span *span, double min_time);

// Converts a slope to bytes an hour, or leaves it as bytes a snapshot if there are no times.
double history_rate(const struct history_span *span, double slope);

#endif
