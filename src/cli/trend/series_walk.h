// SPDX-License-Identifier: BSD-2-Clause
// series_walk: reads a series span by span (timeline.h). A span has the values of its samples. It
// also has the last value of the span before, which is carried over if it is known.

#ifndef PMEM_CLI_SERIES_WALK_H
#define PMEM_CLI_SERIES_WALK_H

#include "trend/history_internal.h"

struct series_walk {
	const struct series *series;
	uint32_t at;         // the index of the next point
	struct sample last;  // the source's values before the next point
	bool is_known;       // true if `last` is known
	bool is_known_after; // true if the source does not change after its last point
};

// Begins before the first span of a source's series, or of a gauge's.
struct series_walk walk_open(struct history *history, size_t number);
struct series_walk walk_open_gauge(struct history *history, enum gauge gauge);

// Sets *out to the values in the next span, and returns true. If they are not known, sets *out to
// the last known values and returns false. Before the first point, these are the first point's.
// Must be called for each span of the timeline, in order.
bool walk_span(struct series_walk *walk, const struct span *span, struct series_point *out);

#endif
