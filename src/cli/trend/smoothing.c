// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/smoothing.h"

// Snapshots thin out if the first half of the windows has more than `more` times the second half's
// number of snapshots.
static const double more = 1.25;
// With fewer windows, floors and peaks do not count as independent.
enum { WITNESSED = 2 * SHAPE_LEAST };
// Floors and peaks count as independent under three conditions. In at least the share `nearly` of
// the windows, the floor differs from the floor before. The same holds for peaks. All changes of
// peaks together are at most `as_much` times all changes of floors. The changes of floors and of
// peaks have a Kendall correlation below `together`.
static const double nearly = 0.75;
static const double as_much = 1.5;
static const double together = 0.3;
// In windows of one or two snapshots, together_of_two is used instead of `together`. The reason:
// the smaller and the larger of two independent values have a correlation of 0.31 already.
static const double together_of_two = 0.45;
// A difference of this many standard deviations is not due to chance.
static const double no_chance = 3;
// The median distance of a normal value from its mean, in standard deviations.
static const double probable = 0.6745;

size_t
smoothing_coarse(const struct trend_point *points, size_t count, struct trend_point *coarse)
{
	for (size_t i = 0; i < count; i++) {
		struct trend_point *to = &coarse[i / SMOOTHING_COARSE];
		bool is_first = i % SMOOTHING_COARSE == 0;
		double peak = !is_first && to->peak > points[i].peak ? to->peak : points[i].peak;
		if (is_first || points[i].floor < to->floor)
			*to = points[i];
		to->peak = peak;
	}
	return (count + SMOOTHING_COARSE - 1) / SMOOTHING_COARSE;
}

void
smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints)
{
	for (size_t i = 0; i < count; i++) {
		midpoints[i] = points[i];
		midpoints[i].floor = (points[i].floor + points[i].peak) / 2;
	}
}

void
smoothing_means(const struct trend_point *points, size_t count, struct trend_point *means)
{
	for (size_t i = 0; i < count; i++) {
		means[i] = points[i];
		means[i].floor = points[i].mean;
	}
}

bool
smoothing_thins_out(const struct trend_point *points, size_t count)
{
	double early = 0, late = 0;

	for (size_t i = 0; i < count / 2; i++) {
		early += points[i].told;
		late += points[count - 1 - i].told;
	}
	return early > more * late;
}

size_t
smoothing_full(const struct trend_point *points, size_t count)
{
	return count > 1 && 2 * points[count - 1].told < points[count - 2].told ? count - 1 : count;
}

// Returns the sum of the changes without their signs. Returns 0 if too many of the changes are 0.
static double
sum_of_changes(const double *changes, size_t count)
{
	double sum = 0;
	size_t changed = 0;

	for (size_t i = 0; i < count; i++) {
		sum += fabs(changes[i]);
		changed += changes[i] != 0;
	}
	return (double)changed >= nearly * (double)count ? sum : 0;
}

static bool
are_two_witnesses(const struct trend_point *points, size_t count)
{
	double floors[KENDALL_MAX], peaks[KENDALL_MAX];

	for (size_t i = 1; i < count; i++) {
		floors[i - 1] = points[i].floor - points[i - 1].floor;
		peaks[i - 1] = points[i].peak - points[i - 1].peak;
	}
	double of_floors = sum_of_changes(floors, count - 1);
	double of_peaks = sum_of_changes(peaks, count - 1);
	return of_floors > 0 && of_peaks > 0 && of_peaks <= as_much * of_floors
		&& kendall_correlation(floors, peaks, count - 1)
			< (points[count / 2].told < 3 ? together_of_two : together);
}

// Twice a floor minus its two neighbours is noise alone if the floors are on a line. The variance
// of this difference is 1 + 4 + 1 = 6 times the variance of the floors' noise. The median over all
// floors is taken, so a few steps do not change the result.
double
smoothing_noise(const struct trend_point *points, size_t count)
{
	double off[KENDALL_MAX];
	size_t last = count - 2;

	ASSERT(count > 2 && count <= KENDALL_MAX);
	for (size_t i = 0; i < last; i++)
		off[i] = fabs(points[i].floor - 2 * points[i + 1].floor + points[i + 2].floor);
	qsort(off, last, sizeof(*off), kendall_by_value);
	return pow(off[last / 2] / probable, 2) / 6;
}

double
smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means)
{
	if (count < WITNESSED || !are_two_witnesses(points, count))
		return 0;
	smoothing_means(points, count, means);
	return smoothing_noise(means, count);
}

bool
smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth)
{
	const struct trend_point *last = &points[count - 1], *before = last - 1;
	double chance = no_chance * sqrt(noise * before->told / fmax(last->told, 1));
	return before->mean - last->mean > fmax(growth / 4, chance);
}
