// SPDX-License-Identifier: BSD-2-Clause
// expiry: sources that free much at once, from time to time, and grow in between. An example is a
// cache whose entries expire.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stddef.h>

#include "trend/shape.h"

// A floor is the least live bytes of a window. An expiry is a fall of the floor in which the source
// frees much at once. Returns for how long after the last point the source may still have another
// expiry: 0 if it had none. If it had several, the last must have freed nearly all growth since the
// expiry before. The clock time from one expiry to the next is limited by most_ms, and by the
// longest wait for an expiry so far. A wait begins at the expiry before, or at the first point.
double expiry_within(const struct trend_point *points, size_t count, double most_ms);

#endif
