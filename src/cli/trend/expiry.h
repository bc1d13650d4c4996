// SPDX-License-Identifier: BSD-2-Clause
// expiry: sources that free much at once, from time to time, and grow in between. An example is a
// cache whose entries expire.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// Returns true if the source has expired entries before, kept nothing from each time, and may do
// so again. It may while the time since the last expiry is shorter than the longest wait for one,
// and than most_ms. All times are by the clock.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
