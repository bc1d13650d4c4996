// SPDX-License-Identifier: BSD-2-Clause
// view: points as one series of values (fit.h): the means or floors of windows, or of longer ones.

#ifndef PMEM_CLI_VIEW_H
#define PMEM_CLI_VIEW_H

#include <stdbool.h>

#include "judge/fit.h"

// Noise exceeds its median by this factor in one of 150 values.
#define VIEW_OUTLIER 4

struct view {
	struct fit_series series;
	const struct trend_point *points;
	size_t count, scale;
	size_t first[FIT_MAX]; // index of each value's first point
	double unit;           // a slope of the series is so many bytes per unit of trend_point.time
	bool is_exact;         // each window has one snapshot, so its floor is its mean
	bool is_calm;          // a season was subtracted,
	double error;          // and the rate may be off by so much
	bool is_whole;         // nothing is left for other views to tell
};

// Takes a view from a point on: the means of windows if `scale` is 0, or else the floors of windows that
// are so many times as long. Returns false if it has too few values, grows by less than `least` bytes, or
// spans no time.
bool view_take(const struct trend_point *points, size_t count, size_t from, size_t scale, double least,
	struct view *view);

// Subtracts what returns after a fixed time, such as a day's load, whatever its shape. Leaves the view
// as it is if there is no such season, or if a few jumps explain as much. Returns false if there is
// one, and nothing grows but its peaks.
bool view_calm(struct view *view);

#endif
