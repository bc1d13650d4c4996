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

// Copies the points, but with the middle of floor and peak as the floor. Writes nothing and returns
// false if the middles cannot show a leak that floors do not show. They cannot if floors and peaks
// hardly differ, or if the last middles are not above most others.
bool smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// Copies the points, but with the mean of the window's snapshots as the floor.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns true if the later half of the windows has clearly fewer snapshots than the earlier half.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// Does the same as smoothing_means() if floors and peaks change independently of each other, and by
// about as much. Then the differences between snapshots are white noise, and means have less of
// this noise than floors or peaks. Returns the variance of the means' noise. Writes nothing and
// returns 0 if floors and peaks are not independent.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns the variance of the floors' white noise. It is estimated from the distance of each floor
// from its two neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// Returns true if the mean of the last window is far below that of the window before: by more than
// a quarter of `growth`, and by more than noise makes by chance. The last window may have fewer
// snapshots, and so more noise. `noise` is the variance of the noise in a full window's mean.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// Returns the number of windows, without a last one that has just begun. A window has just begun if
// it has less than half as many snapshots as the one before.
size_t smoothing_full(const struct trend_point *points, size_t count);

#endif
