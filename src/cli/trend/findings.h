// findings: what trend.h makes of all sources of a history, and of the process as a whole.
//
// Of many sources that fluctuate some seem to leak by chance. Which are believed is decided for
// all of them together: Benjamini and Hochberg, "Controlling the false discovery rate", Journal
// of the Royal Statistical Society B 57 (1995). Of those that are called leaks no more than one
// in twenty is one by chance; which it seldom is, since most sources do not fluctuate.

#ifndef PMEM_CLI_FINDINGS_H
#define PMEM_CLI_FINDINGS_H

#include <stddef.h>

#include "trend/history.h"

struct finding {
	size_t number; // of the source, in the history
	const struct source *source;
	struct trend trend; // slopes are a millisecond, or snapshot
	double began;  // when, by the clock
	double live;   // of the floor at the end
	double lowest, highest; // live in all of the time
	double allocs; // since it began
};

struct findings {
	struct finding *sources; // leaks first, the fastest first; then by verdict and range
	size_t count;
	size_t left_out; // that were not wanted
	size_t of_verdict[VERDICTS];
	double slope;  // sum of those that leak
	double growth; // likewise
	double began;  // the first of them
	struct finding gauges[GAUGES]; // of the process; without a source
	double growth_of_all; // live bytes of the process, since then
};

// `least`: growth below that is none. `wanted` chooses sources; NULL: all.
void findings_make(struct findings *findings, struct history *history, double least,
	bool (*wanted)(const struct source *source));

// Sources that leak: the first so many.
size_t findings_leaks(const struct findings *findings);

void findings_free(struct findings *findings);

#endif
