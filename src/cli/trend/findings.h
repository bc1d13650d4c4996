// SPDX-License-Identifier: BSD-2-Clause
// findings: what trend.h makes of all sources of a history, and of the process as a whole.
//
// Of many sources that fluctuate some seem to leak by chance. Which are believed is decided for
// all of them together: Benjamini and Hochberg, "Controlling the false discovery rate", Journal
// of the Royal Statistical Society B 57 (1995). Of those that are called leaks no more than one
// in twenty is one by chance; which it seldom is, since most sources do not fluctuate. What they
// are worth is evidence.h's.

#ifndef PMEM_CLI_FINDINGS_H
#define PMEM_CLI_FINDINGS_H

#include <stddef.h>

#include "trend/burst.h"
#include "trend/evidence.h"
#include "trend/outside.h"

// Leaks of one standing, in all.
struct leak_sum {
	size_t count;
	double slope, growth;
	double began, grew, known; // of the first of them, and of the last
	double seen; // for how long one of them was surely seen to grow, at most
	size_t went_without;
	size_t held; // so many the process let go of as it ended; their share of the above:
	double held_slope, held_growth;
};

struct findings {
	struct finding *sources; // leaks first, by standing, the fastest first; then by verdict and range
	size_t count;
	size_t left_out; // that were not wanted
	size_t of_verdict[VERDICTS];
	struct leak_sum leaks[STANDINGS];
	struct finding gauges[GAUGES]; // of the process; without a source
	struct outside_growth outside; // of GAUGE_OUTSIDE
	struct burst burst; // where none stands, and unless its source is a leak of another standing
	bool is_cut_short; // nothing could be written since, and so nobody knows how it went on
	bool is_impossible; // so much of live must be in memory, and less is: nothing is judged by it
	double touched, memory;
	size_t unseen; // sources of VERDICT_UNSEEN
	double growth_unseen; // of these
	double growth; // of live, over all of the history
	double growth_untold; // of that, what no source is known to have grown by
	double growth_of_all; // live bytes of the process, since the first of the first standing began
};

void findings_make(struct findings *findings, struct history *history,
	const struct leaks_asked *asked);

// What all such sources held at each of these points of the process.
void findings_sum_floors(const struct findings *findings, struct history *history,
	const struct trend_point *live, size_t count, double *sums,
	bool (*is_such)(const struct finding *finding));

// unseen: sources whose blocks may be freed past the library. Such a source has what its log says,
// or less. Where that does not grow it does not leak. Where it does, nobody can tell.

bool unseen_is(const struct finding *finding);

// A finding that was judged as any other may become one of these. What it grew by; 0: it does not.
double unseen_doubt(struct finding *finding, struct history *history, double least);

// The same of all that is live, where at least half of its growth is of such sources, or it would
// not grow without them.
void unseen_doubt_live(struct findings *findings, struct history *history, double least);

// Takes leaks of the same standing and place as one, which is called what the fastest is.
void findings_join(struct findings *findings, size_t (*place_of)(const struct source *source));

// The process let go of nearly all of it as it ended: it was not lost.
bool finding_is_held(const struct finding *finding);

// Memory in no block, GAUGE_OUTSIDE or GAUGE_FILE, grows, or did, and not only as the process
// started: worth a word. `min_time` as in leaks_asked.
bool findings_memory_grows(const struct findings *findings, enum gauge gauge, double min_time);

// Live has grown much and may grow on, and a fifth of that is of sources that nobody can judge,
// since the log shows them seldom or never: that no other leaks says little.
bool findings_hide_growth(const struct findings *findings);

// Sources that leak, of any standing: the first so many.
size_t findings_leaks(const struct findings *findings);

void findings_free(struct findings *findings);

#endif
