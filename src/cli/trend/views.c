#include "trend/trend.h"

// They are higher in the end, for such a part of the time, than for so much of it.
enum { END = 8 };
static const double most = 0.75;
// What floors and peaks lie apart, of all that there is between the lowest and the highest of them.
static const double noisy = 0.02;

size_t
views_coarse(const struct trend_point *points, size_t count, struct trend_point *coarse)
{
	for (size_t i = 0; i < count; i++) {
		struct trend_point *to = &coarse[i / VIEWS_COARSE];
		bool is_first = i % VIEWS_COARSE == 0;
		double peak = !is_first && to->peak > points[i].peak ? to->peak : points[i].peak;
		if (is_first || points[i].floor < to->floor)
			*to = points[i];
		to->peak = peak;
	}
	return (count + VIEWS_COARSE - 1) / VIEWS_COARSE;
}

static double
middle(const struct trend_point *point)
{
	return (point->floor + point->peak) / 2;
}

static bool
ends_high(const struct trend_point *points, size_t count)
{
	size_t last = (count + END - 1) / END, lower = 0;
	double end = 0;

	for (size_t i = count - last; i < count; i++)
		end += middle(&points[i]) / (double)last;
	for (size_t i = 0; i < count; i++)
		lower += middle(&points[i]) < end;
	return (double)lower >= most * (double)count;
}

// Without noise the floors tell all.
static bool
is_noisy(const struct trend_point *points, size_t count)
{
	double low = points[0].floor, high = points[0].peak, sum = 0;

	for (size_t i = 0; i < count; i++) {
		low = points[i].floor < low ? points[i].floor : low;
		high = points[i].peak > high ? points[i].peak : high;
		sum += points[i].peak - points[i].floor;
	}
	return sum >= noisy * (high - low) * (double)count;
}

bool
views_middles(const struct trend_point *points, size_t count, struct trend_point *middles)
{
	if (!ends_high(points, count) || !is_noisy(points, count))
		return false;
	for (size_t i = 0; i < count; i++) {
		middles[i] = points[i];
		middles[i].floor = middle(&points[i]);
	}
	return true;
}
