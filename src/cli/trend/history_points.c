// SPDX-License-Identifier: BSD-2-Clause
// A window has one span or more (timeline.h). It has the values of all its spans.

#include <math.h>

#include "base/assert.h"
#include "trend/history.h"
#include "trend/series_walk.h"

// The process's end is this last part of its clock time. The end is left out in two cases. It has at
// least SHARE_HARDLY of the windows. Or most of the live bytes are freed in it.
static const double at_last = 0.01;
// In a process that ran for less, the last hundredth of the clock time is too short to judge: the
// kernel's scheduling decides what falls into it.
static const double life_least_ms = 60e3;

static uint32_t
count_windows(const struct timeline *timeline, uint32_t spans)
{
	uint32_t windows = 0;

	for (uint32_t i = 0; i < spans; i++)
		windows += i == 0
			|| !timeline_is_window(timeline, &timeline->spans[i - 1], &timeline->spans[i]);
	return windows;
}

// Returns the number of spans before the last hundredth of the process's clock time. If the floor
// of the span in which the hundredth begins comes after that beginning, this span is left out, too.
// If the process lived only for a short time, the last window is left out instead. That window is
// kept if the process was silent at its end for longer than it had run before.
static uint32_t
spans_before_end(const struct history *history)
{
	const struct timeline *timeline = &history->timeline;
	const struct span *spans = timeline->spans;
	const struct series_point *live = history->gauges[GAUGE_LIVE].points; // live[i] is of spans[i]
	double end = history->exit[GAUGE_LIVE].clock;
	double begin = (1 - at_last) * end;
	uint32_t count = timeline->count;

	if (end < life_least_ms && end > 2 * timeline->clock)
		return count;
	if (end < life_least_ms) {
		do
			count--;
		while (count > 0 && timeline_is_window(timeline, &spans[count - 1], &spans[count]));
		return count;
	}
	while (count > 0 && spans[count - 1].clock_first > begin)
		count--;
	if (count > 0 && live[count - 1].floor.clock > begin)
		count--;
	return count;
}

// Returns the number of spans. If the process's end is to be left out, its spans are not counted.
static uint32_t
spans_of_life(const struct history *history)
{
	const struct timeline *timeline = &history->timeline;
	const struct sample *exit = &history->exit[GAUGE_LIVE];

	if (!timeline->has_times || !history->has_exit || timeline->count == 0)
		return timeline->count;
	ASSERT(history->gauges[GAUGE_LIVE].count == timeline->count);
	uint32_t count = spans_before_end(history);
	uint32_t all = count_windows(timeline, timeline->count);
	uint32_t windows = count_windows(timeline, count);
	if (windows < TREND_LEAST)
		return timeline->count;
	const struct series_point *live = history->gauges[GAUGE_LIVE].points;
	double before = (double)live[count - 1].last;
	bool is_much_work = exit->clock >= life_least_ms && all - windows >= SHARE_HARDLY * all;
	bool lets_go = history->silent <= 0 && (double)exit->bytes <= SHARE_MOST * before
		&& (double)live[timeline->count - 1].last < before;
	return is_much_work || lets_go ? count : timeline->count;
}

// Returns the number of spans of the start. The start ends where the share of work done is furthest
// ahead of the share of clock time passed. Returns 0 if this start is too long by the clock, or has
// less than most of the work.
static uint32_t
spans_of_start(const struct history *history)
{
	const struct span *spans = history->timeline.spans;
	uint32_t life = spans_of_life(history), count = 0;
	double ahead = 0;

	if (!history->timeline.has_times || life == 0)
		return 0;
	const struct span *last = &spans[life - 1];
	if (last->clock_last < life_least_ms || last->first == 0)
		return 0;
	for (uint32_t i = 1; i < life; i++) {
		double by = (double)spans[i].first / (double)last->first
			- spans[i].clock_first / last->clock_last;
		if (by <= ahead)
			continue;
		ahead = by;
		count = i;
	}
	bool is_start = spans[count].clock_first <= SHARE_HARDLY * last->clock_last
		&& (double)spans[count].first >= SHARE_MOST * (double)last->first;
	return is_start ? count : 0;
}

// Returns the point without `load`.
static struct trend_point
point_of(const struct series_point *values)
{
	const struct sample *floor = &values->floor;

	return (struct trend_point){
		.time = (double)floor->time,
		.clock = floor->clock,
		.calls = (double)floor->calls,
		.floor = (double)floor->bytes,
		.peak = (double)values->peak,
		.mean = values->sum / values->told,
		.blocks = (double)floor->blocks,
		.allocs = (double)floor->allocs,
		.load = -1,
	};
}

// Sets `load` of each point: the source's allocations per unit of clock time. They are counted from
// the end of the previous point's window to the end of this point's window.
static void
set_loads(struct trend_point *points, const uint64_t *allocs, const double *ends, size_t count)
{
	static const double tick = 1.0 / 1024;
	for (size_t i = 1; i < count; i++)
		points[i].load = (double)(allocs[i] - allocs[i - 1]) / (ends[i] - ends[i - 1] + tick);
	if (count > 1)
		points[0].load = points[1].load;
}

// Adds a later span to the point of its window. `share` is the part of the window's samples so far
// that are in this span.
static void
add_span(struct trend_point *point, const struct trend_point *span, double share)
{
	double peak = span->peak > point->peak ? span->peak : point->peak;
	double mean = point->mean + (span->mean - point->mean) * share;

	if (span->floor < point->floor)
		*point = *span;
	point->peak = peak;
	point->mean = mean;
}

enum windows { BY_WORK, BY_CLOCK };

static bool
are_one_window(const struct timeline *timeline, enum windows windows, const struct span *a,
	const struct span *b)
{
	if (windows == BY_WORK)
		return timeline_is_window(timeline, a, b);
	double span = timeline->clock_span;
	return floor(a->clock_first / span) == floor(b->clock_first / span);
}

// Writes a point for each window in which values are known. If `from` is not 0, writes a point for
// each span instead, from span number `from` on. A span gets no point if its values are not known.
static size_t
walk_all(const struct history *history, struct series_walk *walk, uint32_t from,
	enum windows windows, struct trend_point *points)
{
	const struct timeline *timeline = &history->timeline;
	uint64_t allocs[SERIES_MAX];
	double ends[SERIES_MAX], told = 0;
	size_t count = 0;
	uint32_t life = spans_of_life(history), before = 0;

	for (uint32_t i = 0; i < life; i++) {
		const struct span *span = &timeline->spans[i];
		struct series_point values;
		if (!walk_span(walk, span, &values) || i < from)
			continue;
		struct trend_point point = point_of(&values);
		bool is_part = from == 0 && count > 0
			&& are_one_window(timeline, windows, &timeline->spans[before], span);
		told = is_part ? told + values.told : values.told;
		if (is_part)
			add_span(&points[count - 1], &point, values.told / told);
		else if (count < SERIES_MAX)
			points[count++] = point;
		before = i;
		points[count - 1].told = told;
		allocs[count - 1] = values.last_allocs;
		ends[count - 1] = span->clock_last;
	}
	set_loads(points, allocs, ends, count);
	return count;
}

static size_t
points_from(struct history *history, size_t number, uint32_t from, enum windows windows,
	struct trend_point *points)
{
	struct series_walk walk = walk_open(history, number);
	return walk_all(history, &walk, from, windows, points);
}

size_t
history_points(struct history *history, size_t number, struct trend_point *points)
{
	return points_from(history, number, 0, BY_WORK, points);
}

size_t
history_points_by_clock(struct history *history, size_t number, struct trend_point *points)
{
	return history->timeline.has_times ? points_from(history, number, 0, BY_CLOCK, points) : 0;
}

size_t
history_points_behind_start(struct history *history, size_t number, struct trend_point *points)
{
	uint32_t start = spans_of_start(history);
	return start > 0 ? points_from(history, number, start, BY_WORK, points) : 0;
}

size_t
history_gauge(struct history *history, enum gauge gauge, struct trend_point *points)
{
	struct series_walk walk = walk_open_gauge(history, gauge);
	return walk_all(history, &walk, 0, BY_WORK, points);
}

struct history_span
history_span(const struct history *history)
{
	const struct timeline *timeline = &history->timeline;
	uint32_t life = spans_of_life(history), start = spans_of_start(history), last = life;
	bool has_end = life < timeline->count; // the end is left out

	while (last > 1 && timeline_is_window(timeline, &timeline->spans[last - 2],
			&timeline->spans[life - 1]))
		last--;
	return (struct history_span){
		.snapshots = history->snapshots,
		.windows = count_windows(timeline, life),
		.behind_start = start > 0 ? life - start : 0,
		.has_times = history->timeline.has_times,
		.start = history->timeline.start,
		.duration = (int64_t)(has_end ? timeline->spans[life].clock_first : timeline->clock),
		.end = (double)(has_end ? timeline->spans[life - 1].first : timeline->now),
		.window = life > 0 ? (double)timeline->spans[last - 1].first : 0,
		.has_exit = history->has_exit,
		.is_over = history->has_exit || history->is_over,
		.has_end = has_end,
		.silent = history->silent > 0 && !has_end
			? (int64_t)(history->silent - timeline->clock) : 0,
		.begins_late = history->first_number > 0,
		.age = history->run->start_ms > 0 && history->timeline.has_times
			? (double)(history->timeline.start - history->run->start_ms) : 0,
	};
}

bool
history_is_well_known(const struct trend_point *points, size_t count, const struct history_span *span)
{
	double duration = span->end;

	if (span->windows < TREND_LEAST)
		return true;
	if (count < TREND_LEAST || points[count - 1].time < 0.75 * duration)
		return false;
	return (double)count * duration * 2
		>= (double)span->windows * (duration - points[0].time);
}

bool
history_stands_still(const struct history_span *span, double min_time)
{
	return span->silent > span->duration && (double)span->silent >= min_time;
}

double
history_rate(const struct history_span *span, double slope)
{
	static const double ms_an_hour = 3600e3;
	return span->has_times ? slope * ms_an_hour : slope;
}
