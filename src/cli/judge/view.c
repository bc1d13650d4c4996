// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

double
view_median(const double *values, size_t count)
{
	double sorted[FIT_MAX] = {0};

	memcpy(sorted, values, count * sizeof(*values));
	qsort(sorted, count, sizeof(*sorted), kendall_by_value);
	return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
}

double
view_standardize(struct fit_series *series)
{
	double mean = 0, square = 0, n = (double)series->count;

	for (size_t i = 0; i < series->count; i++)
		mean += series->values[i] / n;
	for (size_t i = 0; i < series->count; i++) {
		series->values[i] -= mean;
		square += series->values[i] * series->values[i] / n;
	}
	for (size_t i = 0; i < series->count && square > 0; i++)
		series->values[i] /= sqrt(square);
	fit_prepare(series);
	return sqrt(square);
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
	view->unit = view_standardize(series) / span;
	return view->unit > 0;
}

// Returns true if the last window is back where growth began, or nearly: its mean lies below the one
// before by half of the growth, and by more than noise allows.
static bool
has_fallen(const struct view *view, double growth)
{
	const struct trend_point *points = view->points, *last = &points[view->count - 1];
	double changes[FIT_MAX], off = last[-1].mean - last->mean;

	for (size_t i = 0; i + 1 < view->count; i++)
		changes[i] = fabs(points[i + 1].mean - points[i].mean);
	double noise = view_median(changes, view->count - 1)
		* sqrt(fmax(points[view->count / 2].told / fmax(last->told, 1), 1));
	return off > growth / 2 && off > VIEW_OUTLIER * noise;
}

bool
view_is_news(const struct view *view, const struct models *models)
{
	const struct fit_series *series = &view->series;
	double before = -INFINITY, span = view->points[view->first[series->count - 1]].time
		- view->points[view->first[models->since]].time;

	if (view->is_calm)
		return true;
	if (has_fallen(view, models->leak.slope * view->unit * span))
		return false;
	if (models->since == 0)
		return true;
	for (size_t i = view->first[0]; i < view->first[models->since]; i++)
		before = fmax(before, view->points[i].peak);
	return fmax(view->points[view->count - 1].floor, view->points[view->count - 2].floor) > before;
}
