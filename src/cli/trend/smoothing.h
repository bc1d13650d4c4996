// SPDX-License-Identifier: BSD-2-Clause
// smoothing: smooths a series whose floors (least live bytes of each window) alone do not show
// whether it leaks.

#ifndef PMEM_CLI_SMOOTHING_H
#define PMEM_CLI_SMOOTHING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

enum { SMOOTHING_COARSE = 4 }; // this many windows are joined to one

// Joins each SMOOTHING_COARSE neighbouring windows to one. Returns the number of new windows.
size_t smoothing_coarse(const struct trend_point *points, size_t count,
	struct trend_point *coarse);

// Copies the points, but with the middle of floor and peak as the floor.
void smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// Copies the points, but with the mean of the window's snapshots as the floor.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns true if the later half of the windows has clearly fewer snapshots than the earlier half.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// Does the same as smoothing_means() if floors and peaks change independently of each other, and by
// similar amounts. Then the differences between snapshots are white noise, and means have less of
// this noise than floors or peaks. Returns the variance of the means' noise. Writes nothing and
// returns 0 if floors and peaks are not independent.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns the variance of the floors' white noise. It is estimated from the distance of each floor
// from its two neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// Returns true if the last window's mean is far below the mean of the window before. The difference
// must be more than a quarter of `growth`, and more than noise makes by chance. The last window may
// have fewer snapshots, and so more noise. `noise` is the variance of the noise in a full window's
// mean.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// Returns the number of windows. If the last window has just begun, it is not counted. A window has
// just begun if it has less than half as many snapshots as the window before.
size_t smoothing_full(const struct trend_point *points, size_t count);

#endif
