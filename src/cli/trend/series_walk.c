// SPDX-License-Identifier: BSD-2-Clause

#include "base/assert.h"
#include "log/certainty.h"
#include "trend/series_walk.h"

struct series_walk
walk_open(struct history *history, size_t number)
{
	ASSERT(number < history->tracked_count);
	struct tracked_source *tracked = &history->tracked[number];
	bool is_told = false;

	if (!history->run->is_seeds)
		moment_state(history->last, tracked->source, &is_told);

	series_widen(&tracked->series, &history->timeline);
	return (struct series_walk){
		.series = &tracked->series,
		.last = tracked->origin,
		.is_known = tracked->has_origin,
		// Without a point, the exit's snapshot is the first that shows the source. So the source
		// did not change before, and has the values `last` to the end. A joined source has points
		// wherever it is known.
		.is_known_after = !tracked->joined && (is_told || tracked->series.count == 0),
	};
}

struct series_walk
walk_open_gauge(struct history *history, enum gauge gauge)
{
	series_widen(&history->gauges[gauge], &history->timeline);
	return (struct series_walk){.series = &history->gauges[gauge]};
}

bool
walk_span(struct series_walk *walk, const struct span *span, struct series_point *out)
{
	const struct series *series = walk->series;
	const struct series_point *point = walk->at < series->count
		? &series->points[walk->at] : NULL;
	bool is_carried = walk->is_known && (point ? !point->is_gap : walk->is_known_after);
	bool is_here = point && point->span == span->first;
	struct sample floor = walk->last;
	// The points of earlier spans must have been read: the walk would never get past an unread one.
	ASSERT(!point || point->span >= span->first);
	if (point && !walk->is_known && walk->at == 0)
		floor = point->floor;
	uint64_t peak = floor.bytes;

	// The carried values hold from the span's first snapshot to the source's first sample in
	// the span.
	floor.time = span->first;
	floor.clock = span->clock_first;
	floor.calls = span->calls_first;
	is_carried = is_carried && (!is_here || span->first < point->first);
	*out = (struct series_point){.told = 1, .sum = (double)peak, .last = peak,
		.last_blocks = floor.blocks, .last_allocs = floor.allocs};
	if (is_here) {
		if (!is_carried || point->floor.bytes < floor.bytes)
			floor = point->floor;
		if (!is_carried || point->peak > peak)
			peak = point->peak;
		*out = *point;
		walk->last = (struct sample){.bytes = point->last, .blocks = point->last_blocks,
			.allocs = point->last_allocs};
		walk->is_known = true;
		walk->at++;
	}
	out->span = out->first = span->first;
	out->is_gap = false;
	out->floor = floor;
	out->peak = peak;
	return is_here || is_carried;
}
