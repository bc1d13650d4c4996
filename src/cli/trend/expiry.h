// SPDX-License-Identifier: BSD-2-Clause
// expiry: what lets go of much at once, from time to time, as a cache whose entries expire, and grows
// in between.

#ifndef PMEM_CLI_EXPIRY_H
#define PMEM_CLI_EXPIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// There were such, nothing stayed behind, and since the last there was less time, by the clock,
// than before one of them, and than that.
bool expiry_goes_on(const struct trend_point *points, size_t count, double most_ms);

#endif
