// SPDX-License-Identifier: BSD-2-Clause
// interval: bounds the slope of a rise when it is not known where in the stretch the rise began.

#ifndef PMEM_CLI_INTERVAL_H
#define PMEM_CLI_INTERVAL_H

#include <stdbool.h>

#include "trend/shape.h"

// Widens the interval from *low to *high of the stretch's slope. `was_sought` is true if the
// stretch was chosen to begin where the rise seems to begin.
void interval_widen(const struct stretch *stretch, bool was_sought, double *low, double *high);

#endif
