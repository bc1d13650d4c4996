// SPDX-License-Identifier: BSD-2-Clause
// interval: widens the 95% interval of a rise's slope. The reason: nobody knows at which point of
// the stretch (shape.h) the rise began.

#ifndef PMEM_CLI_INTERVAL_H
#define PMEM_CLI_INTERVAL_H

#include "trend/shape.h"

// Moves apart *low and *high, the ends of the interval of the stretch's slope.
void interval_widen(const struct stretch *stretch, double *low, double *high);

#endif
