// SPDX-License-Identifier: BSD-2-Clause
// evidence: for how long a leak was seen, and what is known of the time since then.
//
// trend.h judges by work, and what it calls a leak grew until the work ended. The clock tells
// more. While others work as they did before, and the source does not grow, it has stopped; while
// nobody works that proves nothing, but where nobody else did as it grew either: then it has
// stopped when it stood still for longer. What a process builds up as it starts grows like a
// leak: only what goes on afterwards is one. And a second's growth is no rate an hour.

#ifndef PMEM_CLI_EVIDENCE_H
#define PMEM_CLI_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/history.h"

// How much there is behind a leak.
enum standing {
	STANDS,          // it goes on, or did while anything went on
	STANDS_BEFORE,   // it does no more than in the release before
	STANDS_STARTING, // it was not seen to go on after the process had started
	STANDS_BRIEF,    // it was seen for too short a time
	STANDS_STILL,    // it grew, and then it did not
	STANDS_LITTLE,   // it is too little to matter
	STANDINGS
};

// A rate by work: bytes for each byte that the process allocated or freed, and what it is at least
// and at most. 0: nothing.
struct work_rate {
	double rate, low, high;
};

struct finding {
	size_t number; // of the source, in the history
	const struct source *source;
	struct trend trend; // slopes are a millisecond, or snapshot
	bool behind_start; // by what came behind the process's start alone
	bool by_clock;     // by equal times of the clock: the process's work came in bursts
	enum standing standing; // of a leak
	double began;  // when, by the clock
	bool or_earlier; // it was not seen to begin
	double grew;   // when it was last seen to, likewise; of a leak
	double unseen; // between two points, at most; it grew from one to the other, and who knows when
	double known;  // until when it is known what it held, likewise
	bool went_without; // others worked on since it grew, and it did not
	bool stood_still;  // for longer than it grew, while nobody but itself had ever worked
	double live;   // of the floor at the end
	double lowest, highest; // live in all of the time
	double high; // when its floor was last in the upper half of these, by the clock
	double allocs; // since it began
	size_t sources; // that were joined into it, with itself
	struct work_rate by_work; // of a leak, what its slopes are by work
	double held; // of a leak, growth that the process surely let go of as it ended
	double before; // the slope that leaks_asked.before makes for its work
};

// What is wanted where nothing else is asked for, as leaks_asked has it.
enum {
	LEAKS_LEAST = 1024,
	LEAKS_MIN_TIME = 60 * 1000,
	LEAKS_MIN_RATE = 1024,
};
#define LEAKS_MIN_SHARE 0.1

// What somebody wants to be told. Zero: all.
struct leaks_asked {
	double least;     // growth below that is none
	double min_time;  // a leak that was seen for fewer milliseconds is STANDS_BRIEF
	double min_rate;  // one of fewer bytes an hour is STANDS_LITTLE
	double min_share; // so is one of less percent of what it allocated, and of the process
	bool (*wanted)(const struct source *source); // chooses sources; NULL: all
	// What leaked in the release before; NULL: there is none.
	struct work_rate (*before)(const struct source *source);
	size_t (*place_of)(const struct source *source); // those of one number are one; NULL: none are
};

// When the process had started, as points have it: when it had its sources, and most of its memory
// that does not leak. `live` is the process's; `leaks` what was taken for leaks held, at each of
// these. It has started after ten minutes, whatever it does.
double evidence_started(const struct history *history, const struct trend_point *live,
	const double *leaks, size_t count);

// stall: when a leak was last seen to grow, and whether it has stopped since then.

// Changes below this share of the growth are none.
#define STALL_LEVEL 0.02

bool stall_is_level(const struct trend_point *point, double floor, double much);

// The spans of a leak, and whether it went on while others did, or while there was time.
void stall_measure(struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end);

// The process that leaks are of.
struct evidence {
	const struct leaks_asked *asked;
	struct history_span span;
	double started; // when it had
	double highest; // live that it had
	bool is_sampled; // its log is
};

// Where it goes with the clock, and neither at a rate of the process's work nor on a curve of it,
// as when that is of several kinds, its slopes are by the clock at once. False: it goes with the
// work, or the points do not tell. Of the points from its onset on; its slopes are by work.
bool evidence_goes_by_clock(struct trend *trend, const struct trend_point *onset, size_t count);

// How long a leak was seen, by its points, and its standing; and its slopes by the clock: until now
// they are by work. `end` is what is known behind its points; NULL: nothing.
void evidence_weigh(const struct evidence *of, struct finding *finding,
	const struct trend_point *points, size_t count, const struct history_end *end);

#endif
