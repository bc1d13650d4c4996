// SPDX-License-Identifier: BSD-2-Clause
// The peaks of the process's live bytes show whether there is a burst. Only then the points of
// sources are read, too.

#include <math.h>

#include "trend/burst.h"

// Returns the highest peak of the points before number `point`.
static double
high_before(const struct trend_point *points, size_t point)
{
	double high = 0;
	for (size_t i = 0; i < point; i++)
		high = points[i].peak > high ? points[i].peak : high;
	return high;
}

// Returns the source's floor (least live bytes of a window) at its last point that is not after
// this clock time. Returns 0 if all points are later.
static double
floor_at(const struct trend_point *points, size_t count, double clock)
{
	double floor = 0;
	for (size_t i = 0; i < count && points[i].clock <= clock; i++)
		floor = points[i].floor;
	return floor;
}

// Finds the source that grew most since the burst began. If other sources shrank, this source may
// have grown by more than the whole process. Then of_source is only the growth of the process.
static void
find_source(struct burst *burst, struct history *history)
{
	struct trend_point points[TREND_MAX];

	for (size_t i = 0; i < history_sources(history); i++) {
		if (history_source(history, i)->kind == SOURCE_REST)
			continue;
		size_t count = history_points(history, i, points);
		double growth = history_last(history, i) - floor_at(points, count, burst->began);
		if (growth > burst->of_source) {
			burst->of_source = growth;
			burst->source = history_source(history, i);
		}
	}
	burst->of_source = fmin(burst->of_source, burst->growth);
}

struct burst
burst_find(struct history *history, double least)
{
	struct trend_point points[TREND_MAX];
	struct burst burst = {.now = history_gauge_last(history, GAUGE_LIVE)};
	size_t count = history_gauge(history, GAUGE_LIVE, points);
	double end = (double)history_span(history).duration;
	size_t from = 1;

	if (count < TREND_LEAST)
		return burst;
	while (from < count && points[from].clock < (1 - SHARE_HARDLY) * end)
		from++;
	double growth = from < count ? burst.now - high_before(points, from) : 0;
	if (growth < least || growth < SHARE_SOME * burst.now)
		return burst;
	// A burst begins as late as possible: at the latest point after which live bytes still grew by
	// nearly all new growth.
	while (from + 1 < count
			&& burst.now - high_before(points, from + 1) >= (1 - SHARE_HARDLY) * growth)
		from++;
	burst.growth = burst.now - high_before(points, from);
	burst.began = points[from - 1].clock;
	find_source(&burst, history);
	return burst;
}
