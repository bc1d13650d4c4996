// SPDX-License-Identifier: BSD-2-Clause
// evidence: how long a leak was seen to grow by the clock, what is known of the time since then, and
// whether that is enough.
//
// What a process builds up as it starts grows like a leak, and so do garbage, pools and caches, for
// some time. Growth that lasts for longer is a leak. A source that stopped growing while other
// sources allocated as before is none (stall.c).

#ifndef PMEM_CLI_EVIDENCE_H
#define PMEM_CLI_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/history.h"

// How strong the evidence for a leak is.
enum standing {
	STANDS,          // the leak goes on, or went on as long as other sources allocated
	STANDS_BEFORE,   // the source leaks no faster than in the release before
	// The next two are too early to tell. `ask_again` (struct finding) says from when on the leak may
	// stand.
	STANDS_STARTING, // growth was not seen to continue after the process had started
	STANDS_BRIEF,    // growth was seen for too short a time, or the memory may yet be freed
	STANDS_STILL,    // growth has stopped
	STANDS_LITTLE,   // too small to matter
	STANDINGS
};

// How many bytes a source leaks for each byte that the process allocates or frees. `low` and `high`
// are the interval of this rate at 95%. All are 0 if the rate is not known.
struct work_rate {
	double rate, low, high;
};

struct finding {
	size_t number; // the source's number in the history
	const struct source *source;
	// slopes are in bytes for each byte of work. For a leak, evidence_weigh() converts them to
	// bytes for each millisecond or, without times, for each snapshot
	struct trend trend;
	bool behind_start; // the trend is over points after the process's start only
	// the trend is over windows of equal clock time (not of equal work), since the work came in
	// bursts
	bool by_clock;
	enum standing standing; // only set if the source leaks
	// for STANDS_STARTING and STANDS_BRIEF: the clock time from which on the leak may stand, if it
	// grows until then
	double ask_again;
	double began;  // clock time of the point at which growth began
	double seen;   // and of the first at which it may have begun
	bool or_earlier; // growth may have begun before `began`: its beginning was not seen
	double grew;   // clock time at which a leak was last seen to grow
	// The source grew at some unknown moment between two neighbouring points if the later point
	// has the higher floor. This is the longest clock time between two such points
	double unseen;
	double known;  // clock time up to which the source's live bytes are known
	// since `grew`, other sources have allocated as before, and this source has not grown
	bool went_without;
	// the source has not grown since `grew`. This time is longer than the time in which the
	// source grew. In that earlier time, all other sources together made no more allocations
	// than this source
	bool stood_still;
	double live;   // the last floor: the least live bytes of the last window
	double lowest, highest; // the lowest floor and the highest peak of all points
	// clock time of the last floor in the upper half of the range from `lowest` to `highest`
	double high;
	double allocs; // number of the source's allocations since `began`
	// number of sources that were joined into one (history_join()), `source` included
	size_t sources;
	struct work_rate by_work; // for a leak: bytes leaked for each byte of work
	double held; // for a leak: bytes of its growth that were surely freed as the process ended
	// for a leak: the slope by the clock that it would have at the rate of the release before
	double before;
};

// Returns true if it is too early to call the leak one.
static inline bool
finding_is_early(const struct finding *leak)
{
	return leak->standing == STANDS_STARTING || leak->standing == STANDS_BRIEF;
}

// The defaults of leaks_asked.
enum {
	LEAKS_LEAST = 1024,
	LEAKS_MIN_TIME = 60 * 1000,
	LEAKS_MIN_RATE = 1024,
};
#define LEAKS_MIN_SHARE 0.1

// The user's options. Zero fields exclude nothing.
struct leaks_asked {
	double least;     // growth by fewer bytes does not count
	double min_time;  // a leak seen for fewer milliseconds is STANDS_BRIEF
	double min_rate;  // a leak of fewer bytes an hour is STANDS_LITTLE
	// in percent. A leak is STANDS_LITTLE if two shares are below this. One is the leaked
	// blocks' share of all blocks that the source allocated. The other is the leaked bytes'
	// share of the process's highest live bytes
	double min_share;
	// returns true for sources to judge. NULL chooses all
	bool (*wanted)(const struct source *source);
	// Returns the rate at which the source leaked in the release before. The pointer is NULL if
	// no earlier release is compared.
	struct work_rate (*before)(const struct source *source);
	// sources are judged as one if this returns the same number for them (history_join()). If
	// NULL, each is judged alone
	size_t (*place_of)(const struct source *source);
};

// What was known of the process at each of its points.
struct life {
	size_t count;
	double clock[TREND_MAX];
	// the clock time by which the process had nearly all sources that it has at clock[i], and most
	// of its growth other than that of supposed leaks
	double started[TREND_MAX];
	size_t falls[TREND_MAX]; // how often live bytes had fallen, as where garbage is collected
};

// Sets *life. live[] has the process's points, and leaks[i] is the sum of bytes that all supposed
// leaks held at live[i].
void evidence_live(const struct history *history, const struct trend_point *live,
	const double *leaks, size_t count, struct life *life);

// stall (stall.c): tells when a leak was last seen to grow, and whether it has stopped since.

// If the floor changes by less than this share of a leak's growth, it counts as unchanged.
#define STALL_LEVEL 0.02

// Returns true if the point's floor and peak differ from `floor` by at most `much`.
bool stall_is_level(const struct trend_point *point, double floor, double much);

// Sets `or_earlier`, `grew`, `unseen`, `known`, `went_without` and `stood_still` of the finding.
// `end` is what is known after the last point, or NULL.
void stall_measure(struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end);

// Facts about the process, for evidence_weigh().
struct evidence {
	const struct leaks_asked *asked;
	struct history_span span;
	const struct life *life;
	double highest; // the process's highest live bytes
	bool is_sampled; // the log is sampled
};

// Sets a finding's standing, and the times at which its leak was seen to grow. Converts the
// finding's slopes from work to the clock. `end` is what is known after the last point, or NULL.
void evidence_weigh(const struct evidence *of, struct finding *finding,
	const struct trend_point *points, size_t count, const struct history_end *end);

#endif
