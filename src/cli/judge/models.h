// SPDX-License-Identifier: BSD-2-Clause
// models: the ways in which a series may have come about, and the best fit (fit.h) of each.
//
// Without a leak: a level; a level that jumps a few times; a curve that slows down; a rise that has
// ended. With a leak: a line from some moment on, after a level, a slower or faster rise, or a curve
// that has settled. What tells them apart is growth at the series' end.

#ifndef PMEM_CLI_MODELS_H
#define PMEM_CLI_MODELS_H

#include <stdbool.h>

#include "judge/fit.h"

// What lasts no longer than this share of a series is brief: a start, a load's rise, a leak of which
// nothing can be told yet.
#define MODELS_BRIEF 0.1

// Positive evidence, as Kass and Raftery grade it. Growth that slows down or has ended needs it: else it
// goes on.
#define MODELS_DOUBT 3

struct models {
	struct fit leak;
	double odds;    // twice the logarithm of the odds that the series leaks
	bool is_best;   // the leak explains more than all others, but for the odds against a leak
	double curve, ended; // scores of the best curve, and of the best rise that has ended
	double gain;    // twice the logarithm of the odds of the best explanation against a level
	bool has_ended; // a rise that has ended is most probable
	bool is_counted; // values seldom rise, and never fall: longer windows tell nothing more
	bool slows;     // a curve that slows down is most probable
	size_t since;   // index of the value at which the leak begins
	size_t seen;    // index of the first value at which it may have begun
	size_t until;   // index of the value at which the rise that has ended ends
	// slopes of all leaks that fit nearly as well as the best, each with its interval at 95 %
	double slope_low, slope_high;
};

// Fits all models to a series, of which each value is `scale` windows. `order`: by how many deviations
// more pairs of values rise than chance makes. `leak.slope` is in the series' own units.
void models_fit(const struct fit_series *series, size_t scale, double order, struct models *models);

#endif
