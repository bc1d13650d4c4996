// SPDX-License-Identifier: BSD-2-Clause
// season: subtracts what returns after a fixed time, such as a day's load, whatever its shape.
//
// Each value is compared with those whole periods before and after it. So no shape is assumed.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_SEASON_H
#define PMEM_CLI_SEASON_H

#include <stdbool.h>

#include "judge/fit.h"

struct season {
	double period; // in values
	double slope;  // growth from value to value, of the same moments of periods
	double error;  // by which the slope may be off, since a period is no whole number of values
	double left;   // share of the variance that the season does not explain
	bool is_quiet; // the quiet half of each period grows, too: not only its peaks
};

// Finds the season of values at equal distances. Returns false if there is none.
bool season_find(const double *values, size_t count, struct season *season);

// Sets calm[] to the values without the season, and is_edge[] to true where the season has an edge,
// at which a value cannot be compared. Returns false if it is no season: too much is at edges.
bool season_remove(const double *values, size_t count, const struct season *season, double *calm,
	bool *is_edge);

#endif
