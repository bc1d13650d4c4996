// SPDX-License-Identifier: BSD-2-Clause
// evidence: how long a leak was seen, and what is known of the time since then.
//
// trend.h judges by work, and a leak grew until the work ended. The clock tells more. A source has
// stopped if it does not grow while others work as before. While nobody works, that proves
// nothing. The exception is a source that grew while nobody else worked: it has stopped when it
// stood still for longer. What a process builds up as it starts grows like a leak. Only growth
// that continues afterwards is a leak. And one second of growth gives no rate an hour.

#ifndef PMEM_CLI_EVIDENCE_H
#define PMEM_CLI_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/history.h"

// How strong the evidence for a leak is.
enum standing {
	STANDS,          // the leak continues, or did while anything else did
	STANDS_BEFORE,   // the source leaks no faster than in the release before
	STANDS_STARTING, // not seen to continue after the process had started
	STANDS_BRIEF,    // seen for too short a time
	STANDS_STILL,    // growth has stopped
	STANDS_LITTLE,   // too small to matter
	STANDINGS
};

// A rate by work, and its interval: bytes for each byte that the process allocated or freed. All
// are 0 if nothing is known.
struct work_rate {
	double rate, low, high;
};

struct finding {
	size_t number; // of the source, in the history
	const struct source *source;
	struct trend trend; // slopes are for each millisecond, or each snapshot
	bool behind_start; // judged only by what came behind the process's start
	bool by_clock;     // judged by equal times of the clock, since the work came in bursts
	enum standing standing; // of a leak
	double began;  // clock time of the beginning
	bool or_earlier; // the beginning was not seen
	double grew;   // clock time when a leak was last seen to grow
	double unseen; // longest time between two points of growth: when it grew within is not known
	double known;  // clock time until which its live bytes are known
	bool went_without; // others worked on since, and the source did not grow
	bool stood_still;  // rest lasted longer than growth, and only the source itself ever worked
	double live;   // the floor at the end
	double lowest, highest; // the lowest floor and the highest peak of all points
	double high; // clock time of the last floor in the upper half of this range
	double allocs; // allocations since it began
	size_t sources; // sources joined into this finding, itself included
	struct work_rate by_work; // of a leak: its slope and interval by work
	double held; // of a leak: growth that was surely freed as the process ended
	double before; // slope that the rate of leaks_asked.before gives for its work
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
	double least;     // smaller growth does not count, in bytes
	double min_time;  // a leak seen for fewer milliseconds is STANDS_BRIEF
	double min_rate;  // a leak of fewer bytes an hour is STANDS_LITTLE
	double min_share; // in percent, of its allocations and of the process: less is STANDS_LITTLE
	bool (*wanted)(const struct source *source); // chooses sources. NULL chooses all
	// Returns what leaked in the release before. NULL if there is no such release.
	struct work_rate (*before)(const struct source *source);
	size_t (*place_of)(const struct source *source); // equal numbers are joined. NULL joins none
};

// Returns when the process had started, in the time of points: it had its sources, and most of its
// memory that does not leak. `live` has the process's points. `leaks` is what supposed leaks held
// at each of them. A process counts as started after ten minutes in any case.
double evidence_started(const struct history *history, const struct trend_point *live,
	const double *leaks, size_t count);

// stall: tells when a leak was last seen to grow, and whether it has stopped since.

// Changes below this share of the growth count as none.
#define STALL_LEVEL 0.02

bool stall_is_level(const struct trend_point *point, double floor, double much);

// Sets the fields about times, and whether the leak stopped while others worked, or while there
// was time.
void stall_measure(struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end);

// The process that the leaks belong to.
struct evidence {
	const struct leaks_asked *asked;
	struct history_span span;
	double started; // when the process had started
	double highest; // the most live bytes of the process
	bool is_sampled; // the log is sampled
};

// Sets the slopes of `trend` by the clock and returns true if the growth follows the clock. That
// is so if a line by the clock fits clearly better than a line or a curve by work. An example is
// work of several kinds. Returns false if growth follows the work, or the points do not tell. The
// points begin at the onset. Slopes that are left alone are by work.
bool evidence_goes_by_clock(struct trend *trend, const struct trend_point *onset, size_t count);

// Sets how long a leak was seen, its standing, and its slopes by the clock: before the call they
// are by work. `end` is what is known behind its points, or NULL.
void evidence_weigh(const struct evidence *of, struct finding *finding,
	const struct trend_point *points, size_t count, const struct history_end *end);

#endif
