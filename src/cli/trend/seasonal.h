// SPDX-License-Identifier: BSD-2-Clause
// seasonal: what comes and goes in equal times, as with the hours of a day, told from what stays.

#ifndef PMEM_CLI_SEASONAL_H
#define PMEM_CLI_SEASONAL_H

#include <stddef.h>

#include "trend/shape.h"

// The points without a wave that goes through them at least twice and explains most of what they
// do, into out[], but those at its edges: how many. 0: there is none.
size_t seasonal_remove(const struct trend_point *points, size_t count,
	struct trend_point *out);

#endif
