// SPDX-License-Identifier: BSD-2-Clause
// Each value is compared with those whole periods before and after it. So no shape is assumed.

#include <math.h>
#include <string.h>

#include "judge/view.h"

// A season explains this share of the variance: a few waves of noise explain less.
static const double explained = 0.75;
// If more of the values are at edges, too few are left to show a season.
static const double edges_most = 0.3;
enum {
	PARTS = 4,  // a period is sought in steps of such a part of a value
	VALUES = 4, // and has as many: a season of fewer would be noise
};
// Several periods are measured together, over this share of the series at most.
static const double share_most = 0.75;
// An edge lies between two values, so they are off by half a value, and by a little for noise.
static const double off_most = 0.55;
// Fewer periods might be a load that has changed twice.
static const double periods = 2.2;

// What a period of some length shows.
struct season {
	double period; // in values
	double slope;  // growth from value to value, of the same moments of periods
	double error;  // by which the slope is off for each value by which the period is
	double left;   // share of the variance that the season does not explain
};

static double
variance(const double *values, size_t count)
{
	double sum = 0, square = 0, n = (double)count;

	for (size_t i = 0; i < count; i++) {
		sum += values[i];
		square += values[i] * values[i];
	}
	return fmax(square - sum * sum / n, 0) / n;
}

// Returns the value between two values, on the line between them.
static double
value_at(const double *values, size_t count, double at)
{
	size_t before = (size_t)at;
	double part = at - (double)before;

	return before + 1 < count ? values[before] * (1 - part) + values[before + 1] * part : values[before];
}

// Sets changes[] to the changes over that many values. Returns their number.
static size_t
changes_over(const double *values, size_t count, double lag, double *changes)
{
	size_t pairs = 0;

	for (; (double)pairs + lag <= (double)(count - 1); pairs++)
		changes[pairs] = value_at(values, count, (double)pairs + lag) - values[pairs];
	return pairs;
}

// Returns the variance of values' noise by that of their changes over a lag. A value between two values has
// less noise than these.
static double
noise_over(const double *changes, size_t pairs, double lag)
{
	double part = lag - floor(lag);

	return variance(changes, pairs) / (1 + part * part + (1 - part) * (1 - part));
}

// Subtracts the slope of least squares.
static void
detrend(const double *values, size_t count, double *left)
{
	double n = (double)count, product = 0;

	for (size_t i = 0; i < count; i++)
		product += ((double)i - (n - 1) / 2) * values[i];
	for (size_t i = 0; i < count; i++)
		left[i] = values[i] - product / (n * (n * n - 1) / 12) * (double)i;
}

// Returns true if quiet values rise by half as much as others, or more.
static bool
quiet_rises(const double *values, size_t count, const struct season *season)
{
	double flat[FIT_MAX], sorted[FIT_MAX], changes[FIT_MAX];
	size_t quiet = 0;

	detrend(values, count, flat);
	memcpy(sorted, flat, count * sizeof(*flat));
	double middle = kendall_median(sorted, count);
	size_t pairs = changes_over(values, count, season->period, changes);
	for (size_t i = 0; i < pairs; i++)
		if (flat[i] < middle)
			changes[quiet++] = changes[i];
	return quiet > 0 && kendall_median(changes, quiet) >= season->slope * season->period / 2;
}

// Measures the period over several of them, so that it is known better. Of all lags that may be so many
// periods, the one counts whose changes vary least.
static void
refine(const double *values, size_t count, struct season *season)
{
	double most = floor(share_most * (double)count / season->period), changes[FIT_MAX], best = INFINITY;
	double whole = fmax(most, 1), middle = whole * season->period, period = season->period;

	for (double lag = middle - whole / 2; lag <= middle + whole / 2; lag += 1.0 / PARTS) {
		size_t pairs = changes_over(values, count, lag, changes);
		double left = noise_over(changes, pairs, lag);
		if (left >= best)
			continue;
		best = left;
		period = lag / whole;
		season->slope = kendall_median(changes, pairs) / lag;
	}
	season->period = period;
	size_t pairs = changes_over(values, count, 1, changes);
	for (size_t i = 0; i < pairs; i++)
		changes[i] = fabs(changes[i]);
	season->error = kendall_median(changes, pairs) / whole / period;
}

// Returns the season that explains most for its length, by Akaike's criterion. For what returns after a
// period returns after two as well. The period is 0 if there is none.
static struct season
find(const double *values, size_t count)
{
	double flat[FIT_MAX], changes[FIT_MAX] = {0};
	struct season season = {.period = 0};
	double best = INFINITY;
	bool has_turned = false, has_fallen = false;

	for (size_t i = 1; i < count; i++)
		has_fallen |= values[i] < values[i - 1];
	detrend(values, count, flat);
	double all = variance(flat, count);
	if (all <= FIT_ROUNDING)
		return season;
	// A load that only rises might have changed once more.
	double fewest = has_fallen ? periods : periods + 1;
	for (double lag = VALUES; lag * fewest <= (double)count; lag += 1.0 / PARTS) {
		size_t pairs = changes_over(values, count, lag, changes);
		double left = noise_over(changes, pairs, lag) / all;
		has_turned |= left > 1;
		double score = (double)count * log(left) + lag * 2;
		if (has_turned && left < 1 - explained && score < best) {
			season = (struct season){lag, 0, 0, left};
			best = score;
		}
	}
	if (season.period > 0)
		refine(values, count, &season);
	return season;
}

// Returns how far value i lies from the mean of those whole periods away. The mean of few has noise
// of its own, so the distance is scaled down.
static double
distance(const double *values, size_t count, const struct season *season, size_t i)
{
	double sum = 0, others = 0, last = (double)(count - 1);

	for (double at = fmod((double)i, season->period); at <= last; at += season->period) {
		if (fabs(at - (double)i) < 0.5)
			continue;
		sum += value_at(values, count, at) + season->slope * ((double)i - at);
		others++;
	}
	if (others == 0)
		return 0;
	return (values[i] - sum / others) * sqrt(others / (others + 1));
}

// Sets calm[] to the values without the season, and is_edge[] to true where the season has an edge, at
// which a value cannot be compared. Returns the number of edges.
static size_t
subtract(const double *values, size_t count, const struct season *season, double *calm, bool *is_edge)
{
	double off[FIT_MAX] = {0};
	size_t edges = 0;

	for (size_t i = 0; i < count; i++) {
		calm[i] = distance(values, count, season, i);
		off[i] = fabs(calm[i]);
	}
	double usual = kendall_median(off, count);
	for (size_t i = 0; i < count; i++) {
		is_edge[i] = fabs(calm[i]) > VIEW_OUTLIER * usual;
		edges += is_edge[i];
		calm[i] += season->slope * (double)i;
	}
	return edges;
}

// Returns by how many values a period may be off, as windows differ in length, and in snapshots. The mean of
// many is at a window's middle, and a single one at its beginning.
static double
off_of(const struct view *view, double period)
{
	const struct fit_series *series = &view->series;
	double changes[FIT_MAX], least = INFINITY, most = 0;
	size_t pairs = changes_over(series->times, series->count, period, changes);

	for (size_t i = 0; i < series->count; i++) {
		double told = fmax(view->points[view->first[i]].told, 1);
		least = fmin(least, told);
		most = fmax(most, told);
	}
	return hypot(off_most + (1 / least - 1 / most) / 2,
		sqrt(variance(changes, pairs)) * (double)(series->count - 1));
}

bool
view_calm(struct view *view)
{
	struct fit_series *series = &view->series;
	size_t count = series->count, left = 0;
	struct season season = find(series->values, count);
	double calm[FIT_MAX], n = (double)count;
	bool is_edge[FIT_MAX];

	if (season.period == 0
			|| fit_jumps(series).score < n * log(fmax(season.left, FIT_ROUNDING)) + season.period * log(n)
			|| (double)subtract(series->values, count, &season, calm, is_edge) > edges_most * n)
		return true;
	if (!quiet_rises(series->values, count, &season))
		return false;
	view->is_calm = true;
	view->error = season.error * off_of(view, season.period) * view->unit * (n - 1);
	for (size_t i = 0; i < count; i++) {
		if (is_edge[i])
			continue;
		series->times[left] = series->times[i];
		series->values[left] = calm[i];
		view->first[left++] = view->first[i];
	}
	series->count = left;
	view->unit *= fit_prepare(series);
	return true;
}
