// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "base/memory.h"
#include "trend/timeline.h"

// Adds the values of a later point to `into`.
static void
merge(struct series_point *into, const struct series_point *later)
{
	if (later->floor.bytes < into->floor.bytes)
		into->floor = later->floor;
	if (later->peak > into->peak)
		into->peak = later->peak;
	into->last = later->last;
	into->last_blocks = later->last_blocks;
	into->last_allocs = later->last_allocs;
	into->sum += later->sum;
	into->told += later->told;
}

void
series_widen(struct series *series, const struct timeline *timeline)
{
	const struct span *span = timeline->spans, *last = span + timeline->count - 1;
	uint32_t count = 0;

	if (series->merges == timeline->merges)
		return;
	series->merges = timeline->merges;
	for (uint32_t i = 0; i < series->count; i++) {
		struct series_point *point = &series->points[i];
		while (span < last && span[1].first <= point->span)
			span++;
		point->span = span->first;
		if (count > 0 && series->points[count - 1].span == point->span)
			merge(&series->points[count - 1], point);
		else
			series->points[count++] = *point;
	}
	series->count = count;
}

void
series_add(struct series *series, const struct timeline *timeline, const struct sample *sample,
	bool is_gap)
{
	ASSERT(timeline->count > 0);
	const struct span *span = &timeline->spans[timeline->count - 1];

	while (span > timeline->spans && span->first > sample->time)
		span--;
	struct series_point point = {
		.span = span->first,
		.is_gap = is_gap,
		.first = sample->time,
		.floor = *sample,
		.peak = sample->bytes,
		.last = sample->bytes,
		.last_blocks = sample->blocks,
		.last_allocs = sample->allocs,
		.sum = (double)sample->bytes,
		.told = 1,
	};

	series_widen(series, timeline);
	if (series->count > 0 && series->points[series->count - 1].span == point.span) {
		merge(&series->points[series->count - 1], &point);
		return;
	}
	ASSERT(series->count == 0 || series->points[series->count - 1].span < point.span);
	size_t room = series->room;
	series->points = memory_grow(series->points, series->count, &room, sizeof(point));
	series->room = (uint32_t)room;
	series->points[series->count++] = point;
}

enum {
	TICKS = 1024,
	// if the first two snapshots are in one millisecond, assumed ticks between them
	FIRST_GAP = 16,
	GAPS = 8,       // usual_gap is the mean of about the last GAPS gaps
	FIRST_SPAN = 1000, // ms: clock_span when a log begins
};

// Returns the clock time of a snapshot in ticks (timeline.h). Ticks never go back, though clocks
// may be set back, and numbers of a damaged log may be wrong. Short programs write many snapshots
// within one millisecond. Between two of these, the mean gap of all snapshots so far is assumed.
static int64_t
ticks_at(const struct timeline *timeline, int64_t time_ms, uint64_t number)
{
	if (!timeline->has_times) {
		uint64_t since = number - (uint64_t)timeline->start;
		return since < INT64_MAX && (int64_t)since > timeline->ticks
			? (int64_t)since : timeline->ticks;
	}
	int64_t begin = (time_ms - timeline->start) * TICKS;
	if (begin > timeline->ticks)
		return begin;
	int64_t left = begin + TICKS - 1 - timeline->ticks;
	int64_t gap = timeline->snapshots > 1 ? timeline->ticks / (int64_t)(timeline->snapshots - 1)
		: FIRST_GAP;
	if (left <= 0)
		return timeline->ticks;
	return timeline->ticks + (gap < left ? gap : left / 2);
}

static uint32_t
window_at(const struct timeline *timeline, int64_t time)
{
	return (uint32_t)(time >> timeline->shift);
}

bool
timeline_is_window(const struct timeline *timeline, const struct span *a, const struct span *b)
{
	return window_at(timeline, a->first) == window_at(timeline, b->first);
}

// Returns true if a snapshot at this time and clock time still belongs to the span.
static bool
is_within(const struct timeline *timeline, const struct span *span, int64_t time, double clock)
{
	return window_at(timeline, span->first) == window_at(timeline, time)
		&& clock - span->clock_first < timeline->clock_span;
}

// Joins spans after windows or spans have become longer.
static void
widen_spans(struct timeline *timeline)
{
	uint32_t count = 0;

	timeline->merges++;
	for (uint32_t i = 0; i < timeline->count; i++) {
		struct span *span = &timeline->spans[i];
		if (count == 0 || !is_within(timeline, &timeline->spans[count - 1], span->first,
				span->clock_first)) {
			timeline->spans[count++] = *span;
			continue;
		}
		timeline->spans[count - 1].clock_last = span->clock_last;
		timeline->spans[count - 1].sources_last = span->sources_last;
	}
	timeline->count = count;
}

// Makes windows and spans longer if one more would exceed their limits. Returns false if they were
// long enough.
static bool
needs_longer(struct timeline *timeline)
{
	unsigned shift = timeline->shift;
	double clock_span = timeline->clock_span;

	while (timeline->now >> timeline->shift >= SERIES_MAX)
		timeline->shift++;
	while (timeline->clock >= CLOCK_SPANS * timeline->clock_span)
		timeline->clock_span *= 2;
	return timeline->shift > shift || timeline->clock_span > clock_span;
}

// Returns the time after more work, without overflow: a damaged log may have any work. Time must
// not go back.
static int64_t
time_after(int64_t now, uint64_t work)
{
	uint64_t left = (uint64_t)(INT64_MAX - now);
	return now + (int64_t)(work < left ? work : left);
}

void
timeline_add(struct timeline *timeline, const struct beat *beat)
{
	if (timeline->snapshots == 0) {
		timeline->has_times = beat->time_ms != 0;
		timeline->start = timeline->has_times ? beat->time_ms : (int64_t)beat->number;
		timeline->clock_span = timeline->has_times ? FIRST_SPAN : INFINITY;
	} else {
		double before = timeline->clock;
		int64_t then = timeline->now;
		timeline->ticks = ticks_at(timeline, beat->time_ms, beat->number);
		timeline->clock = (double)timeline->ticks / (timeline->has_times ? TICKS : 1);
		timeline->now = time_after(timeline->now, beat->work > 0 ? beat->work : 1);
		ASSERT(timeline->clock >= before && timeline->now >= then);
		timeline->usual_gap += (timeline->clock - before - timeline->usual_gap) / GAPS;
	}
	timeline->calls = beat->calls;
	timeline->snapshots++;
	if (needs_longer(timeline))
		widen_spans(timeline);
	uint32_t count = timeline->count;
	if (count == 0 || !is_within(timeline, &timeline->spans[count - 1], timeline->now,
			timeline->clock)) {
		ASSERT(count < SPANS_MAX);
		timeline->spans[timeline->count++] = (struct span){.first = timeline->now,
			.clock_first = timeline->clock, .calls_first = timeline->calls};
	}
	timeline->spans[timeline->count - 1].clock_last = timeline->clock;
	timeline->spans[timeline->count - 1].sources_last = beat->sources;
}
