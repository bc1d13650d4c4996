// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "judge/view.h"

// Floors of this share of the snapshots are about as low.
static const double nearly = 0.9;

static double
value_of(const struct trend_point *points, size_t count, bool is_mean)
{
	double low = INFINITY, sum = 0, told = 0;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, points[i].floor);
		sum += points[i].mean * points[i].told;
		told += points[i].told;
	}
	return is_mean && told > 0 ? sum / told : low;
}

// The mean of several snapshots is at the window's middle, and the floor's time at any moment of it. If
// windows follow each other without a gap, sets the times to evenly spaced ones, by least squares.
static void
space_evenly(struct fit_series *series)
{
	double n = (double)series->count, mean = 0, product = 0;

	for (size_t i = 0; i < series->count; i++) {
		mean += series->times[i] / n;
		product += ((double)i - (n - 1) / 2) * series->times[i];
	}
	double window = product / (n * (n * n - 1) / 12), start = mean - (n - 1) / 2 * window;
	for (size_t i = 0; i < series->count; i++)
		if (fabs(series->times[i] - start - (double)i * window) > window)
			return;
	for (size_t i = 0; i < series->count; i++)
		series->times[i] = start + (double)i * window;
}

// The floor of few snapshots is mostly higher than that of many. So all floors are of about as many, though
// later windows may have fewer. Returns how many a floor takes.
static double
told_by_floor(const struct trend_point *points, size_t count, size_t scale)
{
	double told[FIT_MAX];

	for (size_t i = 0; i < count / 2; i++)
		told[i] = points[i].told;
	return nearly * kendall_median(told, count / 2) * (double)scale;
}

// Returns how many windows the next value takes, or 0 if too few are left.
static size_t
windows_of(const struct trend_point *points, size_t left, size_t scale, double told)
{
	double sum = 0;

	for (size_t i = 0; i < left; i++) {
		sum += points[i].told;
		if (i + 1 >= scale && sum >= told)
			return i + 1;
	}
	return 0;
}

bool
view_take(const struct trend_point *points, size_t count, size_t from, size_t scale, double least,
	struct view *view)
{
	struct fit_series *series = &view->series;
	double low = INFINITY, high = -INFINITY;
	bool is_mean = scale == 0;

	*view = (struct view){.points = points, .count = count, .scale = scale + is_mean, .is_exact = true};
	// The mean of a last window that has just begun has more noise than others.
	if (is_mean && points[count - 1].told * 2 < points[count / 2].told)
		count--;
	double told = is_mean ? 0 : told_by_floor(points + from, count - from, scale);
	for (size_t i = from, windows; i < count; i += windows) {
		windows = windows_of(points + i, count - i, view->scale, told);
		if (windows == 0)
			break;
		for (size_t k = i; k < i + windows; k++)
			view->is_exact &= points[k].told == 1 && points[k].mean == points[k].floor;
		double value = value_of(points + i, windows, is_mean);
		low = fmin(low, value);
		high = fmax(high, value);
		view->first[series->count] = i;
		series->times[series->count] = points[i].time;
		series->values[series->count++] = value;
	}
	if (series->count < TREND_LEAST)
		return false;
	if (is_mean && !view->is_exact)
		space_evenly(series);
	double start = series->times[0], span = series->times[series->count - 1] - start;
	if (high - low < least || span <= 0)
		return false;
	for (size_t i = 0; i < series->count; i++)
		series->times[i] = (series->times[i] - start) / span;
	view->unit = fit_prepare(series) / span;
	return view->unit > 0;
}
