// SPDX-License-Identifier: BSD-2-Clause
// view: a series of points as one series of values: the means of windows, or floors of longer ones.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_VIEW_H
#define PMEM_CLI_VIEW_H

#include <stdbool.h>

#include "judge/models.h"

enum {
	// fewest values of a view of floors: what was before a rise, and the rise
	VIEW_LEAST = 2 * SHAPE_LEAST,
};

struct view {
	struct fit_series series;
	const struct trend_point *points;
	size_t count, scale;
	size_t first[FIT_MAX]; // index of each value's first point
	bool is_calm;          // the season was subtracted
	double error;          // by which the rate may be off for that
	double unit;        // a slope of the series is so many bytes per unit of trend_point.time
};

// Takes the view of windows that are `scale` times as long. Returns false if it grows by less than
// `least` bytes, or spans no time.
bool view_take(const struct trend_point *points, size_t count, size_t from, size_t scale, double least,
	struct view *view);

// Subtracts the view's season. Returns false, and leaves the view as it was, if there is none, or if
// a few jumps explain as much. Sets *is_quiet as struct season has it.
bool view_calm(struct view *view, bool *is_quiet);

// Returns true if the leak is news: it ends above what was there before it began, and the last value
// has not fallen back.
bool view_is_news(const struct view *view, const struct models *models);

#endif
