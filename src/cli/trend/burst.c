// SPDX-License-Identifier: BSD-2-Clause
// The peaks of all that is live tell that there is one; only then each source is asked.

#include <math.h>

#include "trend/burst.h"

// What came in this share of the time, the last, is new.
static const double lately = 0.1;
// What is less than this share of all that is live is no news.
static const double much = 0.25;
// Where nearly all of it came later, it began later.
static const double nearly_all = 0.9;

// The most that there was before a point.
static double
high_before(const struct trend_point *points, size_t point)
{
	double high = 0;
	for (size_t i = 0; i < point; i++)
		high = points[i].peak > high ? points[i].peak : high;
	return high;
}

// What the source had at a moment, or the last that is known before.
static double
floor_at(const struct trend_point *points, size_t count, double clock)
{
	double floor = 0;
	for (size_t i = 0; i < count && points[i].clock <= clock; i++)
		floor = points[i].floor;
	return floor;
}

// Whose it is, for the most part. Where others shrank a source may have grown by more than all
// that is new; of that it has no more than all.
static void
find_source(struct burst *burst, struct history *history)
{
	struct trend_point points[TREND_MAX];

	for (size_t i = 0; i < history_sources(history); i++) {
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
	while (from < count && points[from].clock < (1 - lately) * end)
		from++;
	double growth = from < count ? burst.now - high_before(points, from) : 0;
	if (growth < least || growth < much * burst.now)
		return burst;
	while (from + 1 < count
			&& burst.now - high_before(points, from + 1) >= nearly_all * growth)
		from++;
	burst.growth = burst.now - high_before(points, from);
	burst.began = points[from - 1].clock;
	find_source(&burst, history);
	return burst;
}
