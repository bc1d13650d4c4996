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
// had several, the last must have freed nearly all growth since the expiry before. Another expiry
// may come if the clock time since the last expiry is shorter than two limits: most_ms, and the
// longest wait for an expiry so far. A wait begins at the expiry before, or at the first point.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
