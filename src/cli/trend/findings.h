// SPDX-License-Identifier: BSD-2-Clause
// findings: the results of trend.h for all sources of a history, and for the process as a whole.
//
// With many fluctuating sources, some seem to leak by chance. So all of them are tested together:
// Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the Royal Statistical
// Society B 57 (1995). At most one in twenty of the sources called leaks is one by chance. In
// practice it is far less, since most sources do not fluctuate. evidence.h says how strong the
// evidence for each leak is.

#ifndef PMEM_CLI_FINDINGS_H
#define PMEM_CLI_FINDINGS_H

#include <stddef.h>

#include "trend/burst.h"
#include "trend/evidence.h"
#include "trend/outside.h"

// Sums over the leaks of one standing.
struct leak_sum {
	size_t count;
	double slope, growth;
	double began, grew, known; // earliest beginning; last growth; last known time
	double seen; // the longest time that one of them was surely seen to grow
	size_t went_without;
	size_t mapped; // of mapped memory. Their part of the slope:
	double mapped_slope;
	size_t held; // leaks that were freed as the process ended. Their share of the sums:
	double held_slope, held_growth;
};

struct findings {
	struct finding *sources; // leaks first, by standing, then speed; the rest by verdict and range
	size_t count;
	size_t left_out; // sources that were not asked for
	size_t of_verdict[VERDICTS];
	struct leak_sum leaks[STANDINGS];
	struct finding gauges[GAUGES_JUDGED]; // of the process. `source` is NULL
	struct outside_growth outside; // for GAUGE_OUTSIDE
	struct burst burst; // set if no leak STANDS, and its source is no leak of another standing
	bool is_cut_short; // nothing could be written since, so the log does not say what came later
	bool is_impossible; // `touched` of live must be in memory, and less is: nothing is judged
	double touched, memory;
	size_t unseen; // sources of VERDICT_UNSEEN
	double growth_unseen; // their growth
	double growth; // of live, over the whole history
	double growth_untold; // the part of `growth` that no source is known to have caused
	double growth_of_all; // growth of live since the first leak of the first standing began
};

void findings_make(struct findings *findings, struct history *history,
	const struct leaks_asked *asked);

// Writes to sums[] what all sources that `is_such` accepts held at each of these points of the
// process.
void findings_sum_floors(const struct findings *findings, struct history *history,
	const struct trend_point *live, size_t count, double *sums,
	bool (*is_such)(const struct finding *finding));

// unseen: sources whose blocks may be freed past the library. Such a source holds what its log
// says, or less. If that does not grow, the source does not leak. If it grows, nobody can tell.

bool unseen_is(const struct finding *finding);

// Changes the verdict of a finding to VERDICT_UNSEEN if the source may be one of these. Returns
// its growth, or 0 if the verdict stays.
double unseen_doubt(struct finding *finding, struct history *history, double least);

// Does the same for the process's live memory. Live is unseen if such sources are half of its
// growth, or if it would not grow without them.
void unseen_doubt_live(struct findings *findings, struct history *history, double least);

// Joins leaks of the same standing and place into one. The fastest gives its name.
void findings_join(struct findings *findings, size_t (*place_of)(const struct source *source));

// Returns true if the process freed nearly all of the leak as it ended, so that it was not lost.
bool finding_is_held(const struct finding *finding);

// Returns true if memory in no block (GAUGE_OUTSIDE or GAUGE_FILE) grows or grew, and not only as
// the process started. `min_time` is as in leaks_asked.
bool findings_memory_grows(const struct findings *findings, enum gauge gauge, double min_time);

// Returns true if live has grown much and may grow on. A fifth of the growth must be by sources
// that cannot be judged. The log shows such sources seldom or never. Then it says little that no
// other source leaks.
bool findings_hide_growth(const struct findings *findings);

// Returns the number of leaks of any standing. They are the first of `sources`.
size_t findings_leaks(const struct findings *findings);

void findings_free(struct findings *findings);

#endif
