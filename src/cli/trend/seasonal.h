// SPDX-License-Identifier: BSD-2-Clause
// seasonal: separates what comes and goes in equal times, such as hours of a day, from what stays.

#ifndef PMEM_CLI_SEASONAL_H
#define PMEM_CLI_SEASONAL_H

#include <stddef.h>

#include "trend/shape.h"

// Writes the points without their wave to out[], except those at the wave's edges. Returns their
// number. Returns 0 if there is no wave that has two periods or more and explains most of the
// variance.
size_t seasonal_remove(const struct trend_point *points, size_t count,
	struct trend_point *out);

#endif
