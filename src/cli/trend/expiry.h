// SPDX-License-Identifier: BSD-2-Clause
// expiry: sources that free much at once, from time to time, and grow in between. An example is a
// cache whose entries expire.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// A floor is the least live bytes of a window. An expiry is a fall of the floor in which the source
// frees much at once. Returns true if the source has had an expiry and may have another. If it has
// had several, the last must have freed nearly all growth since the expiry before. The longest wait
// is the longest clock time from one expiry to the next, or from the first point to the first
// expiry. Another expiry may come until the longest wait has passed since the last one, but not
// after most_ms.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
