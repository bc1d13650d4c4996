// SPDX-License-Identifier: BSD-2-Clause
// expiry: sources that free much at once, from time to time, and grow in between. An example is a
// cache whose entries expire.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// Returns true if the source has freed much at once before, and may do so again. If it has done so
// repeatedly, the last time must have freed nearly all growth since the one before. The source may
// do so again while the clock time since the last such fall is short. It is short if it is below
// the longest time before one of these falls, and below most_ms.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
