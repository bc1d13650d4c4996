// SPDX-License-Identifier: BSD-2-Clause
// seasonal_fold: a wave of any shape and of known period. Points are compared with those whole
// periods away.

#ifndef PMEM_CLI_SEASONAL_FOLD_H
#define PMEM_CLI_SEASONAL_FOLD_H

#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

struct seasonal_fold {
	double slope;   // median slope from each period to the next, in a unit of time
	double squares; // squared distances of the floors from such a wave. INFINITY if unknown
	size_t count;   // of floors at none of the wave's edges
	size_t points[KENDALL_MAX]; // their indexes
	double calm[KENDALL_MAX];   // their values without the wave
};
void seasonal_fold(const struct stretch *stretch, double period,
	struct seasonal_fold *folded);

#endif
