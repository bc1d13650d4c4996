// SPDX-License-Identifier: BSD-2-Clause
// seasonal_fold: fits a wave of any shape whose period is known. Each point is compared with the
// points whole periods before and after it.

#ifndef PMEM_CLI_SEASONAL_FOLD_H
#define PMEM_CLI_SEASONAL_FOLD_H

#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

struct seasonal_fold {
	double slope;   // median slope of the line from a floor to the floor one period later
	// sum of squared distances of the floors from the wave. INFINITY if no wave fits
	double squares;
	size_t count;   // number of floors, without those at the wave's edges
	size_t points[KENDALL_MAX]; // indexes of the counted floors in the stretch
	double calm[KENDALL_MAX];   // the counted floors with the wave subtracted
};
void seasonal_fold(const struct stretch *stretch, double period,
	struct seasonal_fold *folded);

#endif
