// SPDX-License-Identifier: BSD-2-Clause
// changepoint: finds the points at which a rise may begin. Pure functions of their arguments.

#ifndef PMEM_CLI_CHANGEPOINT_H
#define PMEM_CLI_CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum { CHANGEPOINTS_MAX = 4 }; // at most this many onsets are tried for a series

// Fills onsets[] with indexes of points: 0, and the first point after each break (shape_break()). Returns
// their number. Breaks near the series' end are left out.
size_t changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets);

// Returns true if the series hardly grew between two onsets, as compared with its growth since, by work and
// by the clock.
bool changepoint_is_after_quiet(const struct trend_point *points, size_t count, size_t before,
	size_t onset);

// Compares two rises that both last to the end of the series. Returns true if the later one describes
// the leak better: if the earlier one is no leak, or if the slope between both onsets is below half of
// the later one's slope, or above twice that slope. Slopes are compared by work, and also by the clock if
// clock times are known. The reason: a server may begin to get requests of another kind. Then a leak's
// slope by work changes, though its slope by the clock stays. Such a change is no new onset.
bool changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier);

#endif
