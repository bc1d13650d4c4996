// SPDX-License-Identifier: BSD-2-Clause
// history: how the sources of a run went from snapshot to snapshot, and the process as a whole,
// ready to be judged by trend.h. Memory is bounded: SERIES_MAX points for each source that
// moved.
//
// Time is that of timeline.h, the process's own. Where a log has no times of the clock, snapshots'
// numbers stand for them.
//
// A source has a point only for windows of which it is known what it held: those in which it was
// shown, and those in which it is proven that it did not move, by source_is_exact() (certainty.h)
// or because it was as before when it was shown next. The snapshot that is written at the exit is
// no moment of the process's life, in which all may be let go: it only tells how things were in
// the one before it, and what has stood still from there on. So does, of a process that runs, or
// did until its exit, that it is silent: what moves writes snapshots. Nor is the work right before
// that, the last hundredth of the time or the last window of a short log, where it is a tenth of
// the windows or more, or lets go of half of what is live.

#ifndef PMEM_CLI_HISTORY_H
#define PMEM_CLI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/log.h"
#include "trend/history_internal.h"

// Of snapshots to come. Uses both marks of the run.
struct history *history_open(struct run *run);
void history_close(struct history *history);

const struct run *history_run(const struct history *history);

// Takes a snapshot of this run, which log_next() has just given.
void history_add(struct history *history, const struct snapshot *snapshot);

// It runs, and by now it is that time.
void history_lives(struct history *history, int64_t now_ms);

// Its sources that moved, in the order in which they did, by number.
size_t history_sources(const struct history *history);
const struct source *history_source(const struct history *history, size_t number);

// What is known of a source by now, in windows: points, TREND_MAX at most, and how many.
size_t history_points(struct history *history, size_t number, struct trend_point *points);
size_t history_gauge(struct history *history, enum gauge gauge, struct trend_point *points);

// The same, behind its start alone, where that was most of its work and took little of the time: by
// the clock in more points than windows. 0: it has no such start.
size_t history_points_behind_start(struct history *history, size_t number,
	struct trend_point *points);

// The same in windows of equal time by the clock, some 16 to 32 of them. 0: the log has no times.
size_t history_points_by_clock(struct history *history, size_t number, struct trend_point *points);

// What it had when it was last seen.
double history_last(const struct history *history, size_t number);
double history_gauge_last(const struct history *history, enum gauge gauge);

// What a source held in the snapshot of the exit. False: there is none, or it does not tell.
bool history_at_exit(const struct history *history, size_t number, double *bytes);

// What is known of a time behind the last snapshot, by the clock, of a source that was known then.
struct history_end {
	double clock;
	double bytes; // that it had
	double calls; // of the whole process until then
	bool is_silent; // what more it had came soon behind the last snapshot
};

// False: nothing.
bool history_end(const struct history *history, size_t number, struct history_end *end);
bool history_gauge_end(const struct history *history, enum gauge gauge, struct history_end *end);

// Whether snapshots may have hidden sources that moved at the start alone, in the first tenth of
// the time and of the work, or never: behind that each source is shown whenever it moves.
bool history_hides_at_start(const struct history *history);

// Where, as points have it, the process has its sources; and its points from there on may not be
// behind that moment of the clock.
double history_settled(const struct history *history, double latest);

struct history_span {
	uint64_t snapshots;  // that were taken, without that of the exit
	size_t windows;   // of time that have snapshots
	size_t behind_start; // the most points that there are behind its start; 0: it has none
	bool has_times;   // false: snapshots' numbers stand for them
	int64_t start;    // of the first: Unix time in ms, or its number
	int64_t duration; // to the last, by the clock
	int64_t silent;   // for so long from then on nothing moved, likewise; 0: not known
	double end;       // of the last, as points have it
	double window;    // where the last window begins, likewise
	bool has_exit;    // there was a snapshot at the exit, too
	bool has_end;     // and what the process did right before that is left out
	bool begins_late; // there were snapshots before the first
	double age;       // of the process at the first one, in ms; 0: not known
};
struct history_span history_span(const struct history *history);

// Behind the last snapshot the process was silent for longer than its history is, and for so many
// milliseconds or more: it stands still.
bool history_stands_still(const struct history_span *span, double min_time);

// A slope, which is bytes a millisecond or a snapshot, as bytes an hour, or a snapshot.
double history_rate(const struct history_span *span, double slope);

#endif
