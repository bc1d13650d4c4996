// SPDX-License-Identifier: BSD-2-Clause
// A sum of a few sines does not follow a sudden rise, as when work begins in the morning. So no
// shape is assumed: each point is compared with the points whole periods before and after it.

#include <math.h>

#include "trend/kendall.h"
#include "trend/seasonal_fold.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// With fewer periods in a series, two steps of a load would look like a wave with edges.
static const double periods_least = 2.2;
// An edge is a change from a point to the next by more than this share of the stretch's range. One
// period later, the corresponding moment may lie on the other side of the edge. So the points at
// edges are left out.
static const double edge = 0.25;
// The rise from the first period to the last must be this many times the usual change between
// neighbouring points. An error in the period makes a series without a rise seem to rise, but by
// less.
static const double changes_least = 2;

// Sets *floor to the floor at this time, on the line between two points. Returns false if the time
// is not between two points. Also returns false if counts[] is false for one of the two points,
// since points at edges are left out.
static bool
floor_at(const struct stretch *stretch, const bool *counts, double time, double *floor)
{
	size_t below = 0, above = stretch->count - 1;

	if (time < stretch->times[0] || time > stretch->times[above])
		return false;
	while (above - below > 1) {
		size_t middle = (below + above) / 2;
		if (stretch->times[middle] <= time)
			below = middle;
		else
			above = middle;
	}
	double span = stretch->times[above] - stretch->times[below];
	double part = span > 0 ? (time - stretch->times[below]) / span : 0;
	if ((part < 1 && !counts[below]) || (part > 0 && !counts[above]))
		return false;
	*floor = stretch->floors[below] * (1 - part) + stretch->floors[above] * part;
	return true;
}

static void
leave_edges(const struct stretch *stretch, bool *counts)
{
	double much = edge * stretch_range(stretch);

	for (size_t i = 0; i < stretch->count; i++)
		counts[i] = true;
	for (size_t i = 1; i < stretch->count; i++)
		if (fabs(stretch->floors[i] - stretch->floors[i - 1]) > much)
			counts[i] = counts[i - 1] = false;
}

// Returns the median change of the floor from a point to the next, up or down.
static double
usual_change(const struct stretch *stretch)
{
	double changes[KENDALL_MAX];

	for (size_t i = 1; i < stretch->count; i++)
		changes[i - 1] = fabs(stretch->floors[i] - stretch->floors[i - 1]);
	return kendall_median(changes, stretch->count - 1);
}

// Sets *slope to the median of slopes, each from a point to the floor one period later. Returns
// false if the rise is too small (changes_least).
static bool
find_slope(const struct stretch *stretch, const bool *counts, double period, double *slope)
{
	double slopes[KENDALL_MAX], floor;
	size_t count = 0;

	for (size_t i = 0; i < stretch->count; i++)
		if (counts[i] && floor_at(stretch, counts, stretch->times[i] + period, &floor))
			slopes[count++] = (floor - stretch->floors[i]) / period;
	if (count < TREND_LEAST)
		return false;
	*slope = kendall_median(slopes, count);
	return *slope * (stretch_duration(stretch) - period) > changes_least * usual_change(stretch);
}

// Takes the floors that are one or more whole periods before or after point i. Moves each along the
// slope to the time of point i. Sets *off to the distance of point i from the mean of these floors.
// The mean of few floors has noise of its own, so the distance is scaled down. Returns false if no
// floor is a whole period away.
static bool
lies_off(const struct stretch *stretch, const bool *counts, size_t i, double period, double slope,
	double *off)
{
	int before = (int)(stretch->times[i] / period);
	int after = (int)((stretch_duration(stretch) - stretch->times[i]) / period);
	double sum = 0, floor;
	int others = 0;

	for (int k = -before; k <= after; k++) {
		if (k == 0 || !floor_at(stretch, counts, stretch->times[i] + k * period, &floor))
			continue;
		sum += floor - slope * k * period;
		others++;
	}
	if (others > 0)
		*off = (stretch->floors[i] - sum / others) * sqrt((double)others / (others + 1));
	return others > 0;
}

void
seasonal_fold(const struct stretch *stretch, double period, struct seasonal_fold *folded)
{
	bool counts[KENDALL_MAX];
	double time = 0, floor = 0, off;

	*folded = (struct seasonal_fold){.squares = INFINITY};
	if (stretch_duration(stretch) < periods_least * period)
		return;
	leave_edges(stretch, counts);
	if (!find_slope(stretch, counts, period, &folded->slope))
		return;
	folded->squares = 0;
	for (size_t i = 0; i < stretch->count; i++) {
		if (!counts[i] || !lies_off(stretch, counts, i, period, folded->slope, &off))
			continue;
		folded->squares += off * off;
		folded->calm[folded->count] = off;
		folded->points[folded->count++] = i;
		time += stretch->times[i];
		floor += stretch->floors[i];
	}
	// calm[] has only distances from the wave so far. The slope and the mean of the floors are
	// added back.
	double n = (double)folded->count;
	for (size_t i = 0; i < folded->count; i++)
		folded->calm[i] += floor / n
			+ folded->slope * (stretch->times[folded->points[i]] - time / n);
	folded->squares *= (double)stretch->count / n;
}
