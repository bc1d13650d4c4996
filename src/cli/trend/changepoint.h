// SPDX-License-Identifier: BSD-2-Clause
// changepoint: where may a rise begin?

#ifndef PMEM_CLI_CHANGEPOINT_H
#define PMEM_CLI_CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"
#include "trend/verdict.h"

enum { CHANGEPOINTS_MAX = 4 }; // that are tried

// The series' own beginning, and that behind each break but a late one: how many.
size_t changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets);

// A leak that is seen from an earlier point on began there, unless it hardly grew at first, or so
// fast that this was something else: by the clock, too, where there is one. Where the work has
// become another, as when other requests come than before, it grows by the clock as it did.
bool changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier);

#endif
