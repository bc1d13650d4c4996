// SPDX-License-Identifier: BSD-2-Clause
// Each floor is compared with the floors whole periods before and after it. So no shape of the wave is
// assumed.

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "trend/kendall.h"
#include "trend/seasonal.h"
#include "trend/shape.h"
#include "trend/verdict.h"

enum {
	POINTS_LEAST = 6, // a period has at least this many points
	STEPS = 32,       // the number of periods in the series is tried in steps of 1 / STEPS
	QUIETEST = 16,    // the lowest 1 / QUIETEST of a period's points are its quietest
};

// With fewer periods in a series, two steps of a load would look like a wave.
static const double periods_least = 2.3;
// If the period is off by the time between two points, a series without a rise seems to rise by the usual
// change between them. A rise must be this many times as high.
static const double period_error = 1.25;
// The lowest floors must rise by at least this share of the rise that the slope makes from the first
// period to the last.
static const double still_there = 0.6;

// A series with its wave.
struct season {
	struct stretch stretch;
	bool is_edge[KENDALL_MAX];
	double period, slope;
	double error; // the period may be off by a step, and so the slope by this
	// points that are not at edges: their index, and their distance from the floors whole periods away
	size_t points[KENDALL_MAX];
	double off[KENDALL_MAX];
	size_t count;
	double left; // mean square of off[]
};

// Sets *floor to the floor at this time, on the line between two points. `*below` is the index of a
// point before that time, and is moved on. Returns false if the time is not between two points, or if
// one of them is at an edge.
static bool
floor_at(const struct season *season, double time, size_t *below, double *floor)
{
	const struct stretch *stretch = &season->stretch;

	if (time < stretch->times[0] || time > stretch_duration(stretch))
		return false;
	while (*below + 2 < stretch->count && stretch->times[*below + 1] <= time)
		++*below;
	const double *times = &stretch->times[*below], *floors = &stretch->floors[*below];
	const bool *is_edge = &season->is_edge[*below];
	double part = times[1] > times[0] ? (time - times[0]) / (times[1] - times[0]) : 0;
	*floor = floors[0] * (1 - part) + floors[1] * part;
	return !(part < 1 && is_edge[0]) && !(part > 0 && is_edge[1]);
}

// Sets changes[] to the changes of the floor over this time. Returns their number.
static size_t
changes_over(const struct season *season, double time, double *changes)
{
	const struct stretch *stretch = &season->stretch;
	size_t count = 0, below = 0;
	double floor;

	for (size_t i = 0; i < stretch->count; i++)
		if (!season->is_edge[i]
				&& floor_at(season, stretch->times[i] + time, &below, &floor))
			changes[count++] = floor - stretch->floors[i];
	return count;
}

static double
variance(const double *values, size_t count)
{
	double sum = 0, square = 0, n = (double)count;

	for (size_t i = 0; i < count; i++) {
		sum += values[i];
		square += values[i] * values[i];
	}
	return n > 0 ? (square - sum * sum / n) / n : 0;
}

// Finds edges: changes from a point to the next by much of the stretch's range. One period later, the
// corresponding moment may lie on the other side of the edge. So the points at edges are left out.
static void
find_edges(struct season *season)
{
	const struct stretch *stretch = &season->stretch;
	double much = SHARE_SOME * stretch_range(stretch);

	for (size_t i = 1; i < stretch->count; i++)
		if (fabs(stretch->floors[i] - stretch->floors[i - 1]) > much)
			season->is_edge[i] = season->is_edge[i - 1] = true;
}

// Sets the slope to the median of slopes, each from a point to the floor one period later. Returns
// false if an error in the period explains it.
static bool
find_slope(struct season *season)
{
	const struct stretch *stretch = &season->stretch;
	double changes[KENDALL_MAX], whole = stretch_duration(stretch);
	size_t count = changes_over(season, season->period, changes);

	if (count < TREND_LEAST)
		return false;
	season->slope = kendall_median(changes, count) / season->period;
	for (size_t i = 1; i < stretch->count; i++)
		changes[i - 1] = fabs(stretch->floors[i] - stretch->floors[i - 1]);
	double usual = kendall_median(changes, stretch->count - 1);
	season->error = usual * (double)stretch->count / whole * season->period / whole / STEPS;
	return season->slope * (whole - season->period) > period_error * usual;
}

// Takes the floors that are one or more whole periods before or after point i. Moves each along the
// slope to the time of point i. Sets *off to the distance of point i from the mean of these floors.
// The mean of few floors has noise of its own, so the distance is scaled down. Returns false if no
// floor is a whole period away.
static bool
lies_off(const struct season *season, size_t i, double *off)
{
	double time = season->stretch.times[i], sum = 0, others = 0, floor;
	int before = (int)(time / season->period);
	int after = (int)((stretch_duration(&season->stretch) - time) / season->period);
	size_t below = 0;

	for (int k = -before; k <= after; k++) {
		if (k == 0 || !floor_at(season, time + k * season->period, &below, &floor))
			continue;
		sum += floor - season->slope * k * season->period;
		others++;
	}
	if (others > 0)
		*off = (season->stretch.floors[i] - sum / others) * sqrt(others / (others + 1));
	return others > 0;
}

// Compares all points with those whole periods away. `periods` is the number of periods in the series.
static void
fold(struct season *season, double periods)
{
	season->period = stretch_duration(&season->stretch) / periods;
	season->count = 0;
	season->left = INFINITY;
	if (!find_slope(season))
		return;
	double sum = 0;
	for (size_t i = 0; i < season->stretch.count; i++) {
		double *off = &season->off[season->count];
		if (season->is_edge[i] || !lies_off(season, i, off))
			continue;
		season->points[season->count++] = i;
		sum += *off * *off;
	}
	if (season->count > 0)
		season->left = sum / (double)season->count;
}

// Returns the mean square of the floor's changes over one period and over two, beside the mean change.
static double
changes_vary(const struct season *season, double period)
{
	double changes[KENDALL_MAX];
	size_t one = changes_over(season, period, changes);
	double sum = variance(changes, one) * (double)one;
	size_t two = changes_over(season, 2 * period, changes);

	sum += variance(changes, two) * (double)two;
	return sum / (double)(one + two);
}

// Finds the period over which the floor's changes vary least, first in large steps, then in small ones. If
// the period were a little wrong, a part of the wave would remain in the series.
static double
find_periods(const struct season *season)
{
	double low = periods_least, high = (double)(season->stretch.count / POINTS_LEAST), best = 0;

	for (double step = 1.0 / STEPS; step * STEPS * STEPS >= 1; step /= STEPS) {
		double least = INFINITY;
		for (double periods = low; periods <= high; periods += step) {
			double vary = changes_vary(season, stretch_duration(&season->stretch) / periods);
			if (vary >= least)
				continue;
			least = vary;
			best = periods;
		}
		low = fmax(best - step, periods_least);
		high = best + step;
	}
	return best;
}

// Returns the mean of the quietest floors (QUIETEST) in the period that begins at time `first`.
static double
quietest_from(const struct season *season, double first)
{
	const struct stretch *stretch = &season->stretch;
	double floors[KENDALL_MAX], sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < stretch->count; i++)
		if (stretch->times[i] >= first && stretch->times[i] <= first + season->period)
			floors[count++] = stretch->floors[i];
	qsort(floors, count, sizeof(*floors), kendall_by_value);
	size_t least = (count + QUIETEST - 1) / QUIETEST;
	for (size_t i = 0; i < least; i++)
		sum += floors[i] / (double)least;
	return sum;
}

// Compares the quietest floors of the first and of the last period. Returns true if they rise by
// nearly as much as the slope says (still_there). Otherwise the series has not risen for good: one
// wave was higher than the wave before, or one tooth (oscillation.h) was longer.
static bool
stays(const struct season *season)
{
	double last = stretch_duration(&season->stretch) - season->period;

	return quietest_from(season, last) - quietest_from(season, 0)
		>= still_there * season->slope * last;
}

// Returns the point with another floor. The peak keeps its distance from the floor, and the number
// of blocks changes in proportion to the floor.
static struct trend_point
moved_to(const struct trend_point *point, double floor)
{
	struct trend_point moved = *point;

	moved.floor = floor;
	moved.peak = floor + (point->peak - point->floor);
	if (point->floor > 0)
		moved.blocks *= floor / point->floor;
	return moved;
}

size_t
seasonal_remove(const struct trend_point *points, size_t count, struct trend_point *out,
	double *error)
{
	struct season season = {.left = INFINITY};
	double beside[KENDALL_MAX], mean = 0, rise = 0;

	stretch_open(&season.stretch, points, count);
	const struct stretch *stretch = &season.stretch;
	if (stretch_duration(stretch) <= 0)
		return 0;
	double periods = find_periods(&season);
	find_edges(&season);
	if (periods > 0)
		fold(&season, periods);
	double slope = kendall_slope(stretch->times, stretch->floors, count);
	for (size_t i = 0; i < count; i++)
		beside[i] = stretch->floors[i] - stretch->floors[0] - slope * stretch->times[i];
	if (season.left >= SHARE_SOME * variance(beside, count) || !stays(&season))
		return 0;
	for (size_t i = 0; i < season.count; i++) {
		mean += stretch->floors[season.points[i]] / (double)season.count;
		rise += season.slope * stretch->times[season.points[i]] / (double)season.count;
	}
	for (size_t i = 0; i < season.count; i++) {
		size_t at = season.points[i];
		out[i] = moved_to(&points[at],
			season.off[i] + mean + season.slope * stretch->times[at] - rise);
	}
	*error = season.error;
	return season.count;
}
