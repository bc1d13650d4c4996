// SPDX-License-Identifier: BSD-2-Clause
// seasonal: removes a wave from a series. A wave is memory that comes and goes with a fixed period.
// An example is load that repeats each day.

#ifndef PMEM_CLI_SEASONAL_H
#define PMEM_CLI_SEASONAL_H

#include <stddef.h>

#include "trend/shape.h"

// Subtracts the wave from the floors, and writes the points to out[]. If the wave has sudden edges,
// the points at the edges are left out. Sets *error to what the slope without the wave may be off by.
// Returns the number of points written. Returns 0 if there is no wave. A wave has two periods or more,
// and explains most of the floors' variance.
size_t seasonal_remove(const struct trend_point *points, size_t count,
	struct trend_point *out, double *error);

#endif
