// SPDX-License-Identifier: BSD-2-Clause
// changepoint: finds the points at which a rise may begin.

#ifndef PMEM_CLI_CHANGEPOINT_H
#define PMEM_CLI_CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum { CHANGEPOINTS_MAX = 4 }; // beginnings that are tried

// Fills onsets[] with the first point and the point behind each break, without late breaks.
// Returns their number.
size_t changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets);

// Returns true if the later of two beginnings of a leak describes it better. The earlier one is
// better unless the growth between the two was far slower or far faster. It must differ by the
// clock, too, if there is one. When the kind of work changes, as with other requests, a leak grows
// by the clock as before.
bool changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier);

#endif
