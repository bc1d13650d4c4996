// SPDX-License-Identifier: BSD-2-Clause
// changepoint: finds the points at which a rise may begin.

#ifndef PMEM_CLI_CHANGEPOINT_H
#define PMEM_CLI_CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum { CHANGEPOINTS_MAX = 4 }; // at most this many onsets are tried for a series

// A break is where one straight line that fits the series ends and another begins (shape_break()).
// Fills onsets[] with indexes of points: 0, and the first point after each break. Breaks near the
// series' end are left out. Returns the number of onsets.
size_t changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets);

// Returns true if the series hardly grows from the onset `before` to the later `onset`, as compared to
// its growth from there on, by work and by the clock.
bool changepoint_is_after_quiet(const struct trend_point *points, size_t count, size_t before,
	size_t onset);

// Compares two rises that both last to the end of the series. The onset of `later` comes after that
// of `earlier`. Returns true if `later` describes the leak better. If `earlier` is a leak, the
// slope between the two onsets must be below half of the slope of `later`, or above twice that
// slope. If `earlier` is no leak, `later` is always better. Slopes are compared by work, and also
// by the clock if clock times are known. The reason: a server may begin to get requests of another
// kind. Then a leak's slope by work changes, though its slope by the clock stays. Such a change is
// no new onset.
bool changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier);

#endif
