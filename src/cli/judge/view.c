// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "judge/view.h"

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

// The mean of a window is at its middle, and the floor's time at any moment of it. If windows follow
// each other without a gap, sets the times to their middles.
static void
space_evenly(struct fit_series *series)
{
	double start = series->times[0], last = (double)series->count - 1;
	double window = (series->times[series->count - 1] - start) / last;

	for (size_t i = 0; i < series->count; i++)
		if (fabs(series->times[i] - start - (double)i * window) > window)
			return;
	for (size_t i = 0; i < series->count; i++)
		series->times[i] = start + (double)i * window;
}

bool
view_take(const struct trend_point *points, size_t count, size_t from, size_t scale, double least,
	struct view *view)
{
	struct fit_series *series = &view->series;
	double low = INFINITY, high = -INFINITY;

	*view = (struct view){.points = points, .count = count, .scale = scale};
	// The mean of a last window that has just begun has more noise than others.
	if (scale == 1 && points[count - 1].told * 2 < points[count / 2].told)
		count--;
	for (size_t i = from; i + scale <= count; i += scale) {
		double value = value_of(points + i, scale, scale == 1);
		low = fmin(low, value);
		high = fmax(high, value);
		view->first[series->count] = i;
		series->times[series->count] = points[i].time;
		series->values[series->count++] = value;
	}
	if (scale == 1)
		space_evenly(series);
	double start = series->times[0], span = series->times[series->count - 1] - start;
	if (high - low < least || span <= 0)
		return false;
	for (size_t i = 0; i < series->count; i++)
		series->times[i] = (series->times[i] - start) / span;
	view->unit = fit_prepare(series) / span;
	return view->unit > 0;
}
