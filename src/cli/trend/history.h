// SPDX-License-Identifier: BSD-2-Clause
// history: how the values of a process and of its sources changed from snapshot to snapshot.
// trend.h judges these changes. Memory is bounded: at most SPANS_MAX points for each source that
// changed.
//
// Time is the process's work in bytes, as in timeline.h. If a log has no clock times, snapshot
// numbers are used instead of clock times.
//
// A source has a point only for windows in which its bytes are known. These are windows in which a
// snapshot shows the source, and windows in which it provably did not change. There are two proofs.
// One is source_is_exact() (certainty.h). The other is the source's next entry in the log. An entry
// also has the source's values in the snapshot right before. If these are equal to the values in
// the source's previous entry, the source did not change in between.
//
// The snapshot written at exit gives no point, since all may be freed by then. But that snapshot
// also has sources' values in the snapshot before, and it shows which sources have not changed in
// between. If a process still runs but has written no snapshot for long, nothing has changed
// either: a change makes the library write a snapshot.
//
// Windows right before the exit are left out as well if the process's work there is unusual. These
// windows are the last hundredth of the clock time or, if the process lived for a short time, the
// last window. The work is unusual if these windows are a tenth of all windows, or if half of the
// live bytes are freed in them.

#ifndef PMEM_CLI_HISTORY_H
#define PMEM_CLI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log.h"
#include "trend/history_internal.h"

// Returns a history without snapshots.
struct history *history_open(struct run *run);
// Must be called before log_close().
void history_close(struct history *history);

const struct run *history_run(const struct history *history);

// Adds a snapshot of the history's run, which log_next() has just returned.
void history_add(struct history *history, const struct snapshot *snapshot);

// Notes that the process is still running at `now_ms`. If it has written no snapshot for long,
// nothing has changed since the last one.
void history_lives(struct history *history, int64_t now_ms);

// Notes that the process runs no more, though the log has no snapshot at exit.
void history_is_over(struct history *history);

// The sources that changed, numbered from 0 in the order of their first change.
size_t history_sources(const struct history *history);
const struct source *history_source(const struct history *history, size_t number);

// Joins the sources of one place, for which place_of() returns the same number, into one whose
// series is their sum. Sources that are not well known stay alone, and so do those that `wanted`
// refuses, unless it is NULL. A joined source's history_source() is the source that grew
// most. No snapshot can be added afterwards.
//
// Unless `wanted` chooses, the last source becomes one of kind SOURCE_REST. It has all blocks, less
// those of all well known sources. It is joined of the stacks of one place, if that
// place has most growth of all sources that are not well known. It has the stack of the source that
// grew most.
void history_join(struct history *history, bool (*wanted)(const struct source *source),
	size_t (*place_of)(const struct source *source));
// The sources that number `number` was joined of, those first that grew most: itself alone, if
// history_join() did not join it. *most is how many of them have nearly all growth.
const struct source *const *history_joined(const struct history *history, size_t number,
	size_t *count, size_t *most);

// Writes a point for each window in which the bytes of source `number` are known. Returns the
// number of points, at most TREND_MAX.
size_t history_points(struct history *history, size_t number, struct trend_point *points);
// Does the same as history_points(), for a gauge: a value of the process as a whole.
size_t history_gauge(struct history *history, enum gauge gauge, struct trend_point *points);

// Does the same as history_points(), but only for the time after the process's start. Each span
// (timeline.h) has a point of its own, so there are more points than windows. Returns 0 if less
// than half of the work was done during the start. Also returns 0 if the start took more than a
// tenth of the clock time.
size_t history_points_behind_start(struct history *history, size_t number,
	struct trend_point *points);

// Does the same as history_points(), but for some 16 to 32 windows of equal clock time. Returns 0
// if the log has no times.
size_t history_points_by_clock(struct history *history, size_t number, struct trend_point *points);

// Return the bytes of a source in the last snapshot that shows it, or of a gauge in the last
// snapshot that has it. The exit's snapshot does not count.
double history_last(const struct history *history, size_t number);
double history_gauge_last(const struct history *history, enum gauge gauge);

// Sets *bytes to the source's bytes in the exit's snapshot. Returns false if the log has no exit's
// snapshot, or if that snapshot does not say what the source has.
bool history_at_exit(const struct history *history, size_t number, double *bytes);

// What is known of a source or a gauge at one moment after the last snapshot: the exit, or now.
struct history_end {
	double clock; // clock time of that moment
	double bytes; // bytes of the source or gauge at that moment
	double calls; // allocations of the whole process until that moment
	// true if the process was silent from the last snapshot to that moment. Then any growth of
	// the bytes came soon after the last snapshot
	bool is_silent;
};

// Set *end for a source or a gauge. Return false if nothing is known of the time after the last
// snapshot.
bool history_end(const struct history *history, size_t number, struct history_end *end);
bool history_gauge_end(const struct history *history, enum gauge gauge, struct history_end *end);

// Some snapshots may leave out sources that changed. Returns true if the last of these snapshots is
// in the first tenth of the log, both by work and by the clock. Also returns true if no snapshot
// may leave out a source.
bool history_hides_at_start(const struct history *history);

// Returns the clock time by which the process had nearly all sources that it had at clock time `at`.
double history_settled(const struct history *history, double at);

struct history_span {
	uint64_t snapshots;  // number of snapshots, without the exit's
	size_t windows;   // number of windows that have snapshots
	// history_points_behind_start() writes at most this many points. 0 if it writes no points
	size_t behind_start;
	bool has_times;   // false if snapshot numbers replace times
	// Time of the first snapshot: Unix time in ms. The snapshot's number if has_times is false.
	int64_t start;
	int64_t duration; // clock time from the first snapshot to the last, in ms or snapshots
	// clock time after the last snapshot in which nothing changed, in ms. 0 if not known
	int64_t silent;
	double end;       // time of the last snapshot, as in trend_point.time
	double window;    // time at which the last window begins
	bool has_exit;    // true if the log has a snapshot at exit, too
	bool is_over;     // true if the process surely runs no more: it has exited, or was killed
	// True if the windows right before the exit are left out, since the process did unusual
	// work as it ended.
	bool has_end;
	bool begins_late; // true if the log has snapshots before the first one of the history
	double age;       // age of the process at the first snapshot, in ms. 0 if not known
};
struct history_span history_span(const struct history *history);

// Returns true if the process was silent for longer after the last snapshot than the time from the
// first snapshot to the last. The silence must also be at least min_time milliseconds.
bool history_stands_still(const struct history_span *span, double min_time);

// Returns true if a source's bytes are known nearly to the log's end, and in half of the windows
// since its first point. points[] are those of history_points(). If the log's end does not show a
// source, the source may have shrunk.
bool history_is_well_known(const struct trend_point *points, size_t count,
	const struct history_span *span);

// Converts a slope from bytes a millisecond to bytes an hour. If there are no times, leaves it as
// bytes a snapshot.
double history_rate(const struct history_span *span, double slope);

#endif
