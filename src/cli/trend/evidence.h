// SPDX-License-Identifier: BSD-2-Clause
// evidence: how long a leak was seen to grow, and what is known of the time since then.
//
// trend.h measures time by the process's work (timeline.h). This module asks the clock as well. A
// source has stopped growing if it does not grow while other sources allocate as before. If it does
// not grow while no other source allocates, that proves nothing. There is one exception: a source
// that grew while no other source allocated. It has stopped if the time without growth is longer
// than the time in which it grew.
//
// What a process builds up as it starts grows like a leak. Only growth that continues after the
// start is a leak. Growth that was seen for a second gives no rate an hour.

#ifndef PMEM_CLI_EVIDENCE_H
#define PMEM_CLI_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/history.h"

// How strong the evidence for a leak is.
enum standing {
	STANDS,          // the leak goes on, or went on for as long as other sources allocated
	STANDS_BEFORE,   // the source leaks no faster than in the release before
	STANDS_STARTING, // growth was not seen to continue after the process had started
	STANDS_BRIEF,    // growth was seen for too short a time, or may yet be freed
	STANDS_STILL,    // growth has stopped
	STANDS_LITTLE,   // too small to matter
	STANDINGS
};

// How many bytes a source leaks for each byte that the process allocates or frees. `low` and `high`
// are the interval of this rate. All are 0 if nothing is known.
struct work_rate {
	double rate, low, high;
};

struct finding {
	size_t number; // the source's number in the history
	const struct source *source;
	// slopes are for each byte of work. For a leak, evidence_weigh() converts them to the clock:
	// for each millisecond, or each snapshot
	struct trend trend;
	bool behind_start; // only points after the process's start were judged
	bool by_clock;     // judged in windows of equal clock time, since the work came in bursts
	enum standing standing; // of a leak
	double began;  // clock time of the point at which growth began
	bool or_earlier; // growth began then or earlier: its beginning was not seen
	double grew;   // clock time when a leak was last seen to grow
	// longest clock time between two neighbouring points whose floors rise. When in that time the
	// source grew is not known
	double unseen;
	double known;  // clock time until which the source's live bytes are known
	bool went_without; // since `grew`, other sources allocated as before, and this one did not grow
	// the source has not grown since `grew`, for longer than it had grown before. While it grew,
	// the other sources together allocated no more than this one
	bool stood_still;
	double live;   // the last floor
	double lowest, highest; // the lowest floor and the highest peak of all points
	// clock time of the last floor in the upper half of the range from `lowest` to `highest`
	double high;
	double allocs; // the source's allocations since `began`
	size_t sources; // sources that findings_join() has joined into this finding, its own included
	struct work_rate by_work; // of a leak: its slope and interval by work
	double held; // of a leak: bytes of its growth that were surely freed as the process ended
	double before; // of a leak: the slope that it would have at the rate of leaks_asked.before
};

// The defaults of leaks_asked.
enum {
	LEAKS_LEAST = 1024,
	LEAKS_MIN_TIME = 60 * 1000,
	LEAKS_MIN_RATE = 1024,
};
#define LEAKS_MIN_SHARE 0.1

// What the user asked for. Zero fields exclude nothing.
struct leaks_asked {
	double least;     // growth of fewer bytes does not count
	double min_time;  // a leak seen for fewer milliseconds is STANDS_BRIEF
	double min_rate;  // a leak of fewer bytes an hour is STANDS_LITTLE
	// in percent. A leak is STANDS_LITTLE if its growth is a smaller share of two things: of the
	// blocks that the source allocated, and of the most that the process held
	double min_share;
	// returns true for sources to judge. NULL chooses all
	bool (*wanted)(const struct source *source);
	// Returns the rate at which the source leaked in the release before. NULL if there is no such
	// release.
	struct work_rate (*before)(const struct source *source);
	// leaks are joined if this returns the same number for their sources. NULL joins none
	size_t (*place_of)(const struct source *source);
};

// Returns the time at which the process had started, as in trend_point.time. By then it had nearly
// all its sources, and most of its growth that is no supposed leak. `live` has the process's
// points. leaks[i] is what all supposed leaks held at live[i]. A process counts as started after
// ten minutes in any case.
double evidence_started(const struct history *history, const struct trend_point *live,
	const double *leaks, size_t count);

// stall (stall.c): tells when a leak was last seen to grow, and whether it has stopped since.

// Changes of the floor below this share of a leak's growth count as none.
#define STALL_LEVEL 0.02

// Returns true if the point's floor and peak differ from `floor` by at most `much`.
bool stall_is_level(const struct trend_point *point, double floor, double much);

// Sets `or_earlier`, `grew`, `unseen`, `known`, `went_without` and `stood_still` of the finding.
// `end` is what is known after the last point, or NULL.
void stall_measure(struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end);

// What evidence_weigh() has to know of the process that the leaks belong to.
struct evidence {
	const struct leaks_asked *asked;
	struct history_span span;
	double started; // when the process had started (evidence_started())
	double highest; // the most live bytes of the process
	bool is_sampled; // the log is sampled
};

// Returns true if the growth follows the clock, not the work. That is so if a line over clock time
// fits clearly better than a line or a curve over work. An example is a leak in a process with work
// of several kinds. If it returns true, it sets the slopes of `trend` to those over clock time.
// Otherwise the slopes are left as they are, over work. The points begin at the onset.
bool evidence_goes_by_clock(struct trend *trend, const struct trend_point *onset, size_t count);

// Sets how long a leak was seen and its standing, and converts its slopes from work to the clock.
// `end` is what is known after the last point, or NULL.
void evidence_weigh(const struct evidence *of, struct finding *finding,
	const struct trend_point *points, size_t count, const struct history_end *end);

#endif
