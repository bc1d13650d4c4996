// SPDX-License-Identifier: BSD-2-Clause
// seasonal_fold: a wave of any shape, whose period is known, by what lies whole periods away.

#ifndef PMEM_CLI_SEASONAL_FOLD_H
#define PMEM_CLI_SEASONAL_FOLD_H

#include <stddef.h>

#include "trend/kendall.h"
#include "trend/shape.h"

struct seasonal_fold {
	double slope;   // from each period to the next, their median, in a unit of time
	double squares; // of how far the floors lie off such a wave; INFINITY: it cannot be told
	size_t count;   // of floors that lie at none of its edges
	size_t points[KENDALL_MAX]; // which these are
	double calm[KENDALL_MAX];   // and what they are without the wave
};
void seasonal_fold(const struct stretch *stretch, double period,
	struct seasonal_fold *folded);

#endif
