// SPDX-License-Identifier: BSD-2-Clause
// expiry: sources that free much at once, from time to time, and grow in between. An example is a
// cache whose entries expire.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// An expiry is a fall of the floor in which the source frees much at once. Returns true if the
// source has had an expiry and may have another. If it has had several, the last must have freed
// nearly all growth since the one before. Another expiry may come while the clock time since the
// last is below the longest time before any of them, and below most_ms.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
