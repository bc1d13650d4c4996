// SPDX-License-Identifier: BSD-2-Clause
// smoothing: smooths a series whose floors alone do not give an answer.

#ifndef PMEM_CLI_SMOOTHING_H
#define PMEM_CLI_SMOOTHING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

enum { SMOOTHING_COARSE = 4 }; // windows that are joined to one

// Joins each SMOOTHING_COARSE neighbouring windows to one. Returns the number of new windows.
size_t smoothing_coarse(const struct trend_point *points, size_t count,
	struct trend_point *coarse);

// Copies the points, but with the middle of floor and peak as the floor. Writes nothing and returns
// false if the middles show nothing new. That is so if floors and peaks hardly differ, or if the
// last middles are not above most others.
bool smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// Copies the points, but with the mean as the floor.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns true if clearly fewer snapshots are in the later half of the windows than in the earlier
// half.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// As smoothing_means(), if floors and peaks change independently of each other, and by about as
// much. Then the differences between snapshots are white noise. A mean has less of this noise than
// a floor or a peak, and how much is known. Returns the variance of the noise of the means. Writes
// nothing and returns 0 if floors and peaks are not independent.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns the variance of the floors' white noise. It is estimated from the distance of each floor
// from its two neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// Returns true if the mean of the last window is far below that of the window before. The last
// window may have few snapshots. So the difference must be more than their noise makes by chance,
// and more than a quarter of `growth`. `noise` is the variance of a mean's noise.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// Returns the number of windows, without a last one that has just begun. That has less than half as
// many snapshots as the window before.
size_t smoothing_full(const struct trend_point *points, size_t count);

#endif
