// SPDX-License-Identifier: BSD-2-Clause
// smoothing: smooths a series whose floors alone do not give an answer.

#ifndef PMEM_CLI_SMOOTHING_H
#define PMEM_CLI_SMOOTHING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

enum { SMOOTHING_COARSE = 4 }; // windows taken together

// Joins each SMOOTHING_COARSE windows to one. Returns the number of new windows.
size_t smoothing_coarse(const struct trend_point *points, size_t count,
	struct trend_point *coarse);

// Replaces each floor by the middle of floor and peak. Writes nothing and returns false if that
// shows nothing new. That is so if floors and peaks hardly differ, or if the middles end no higher
// than most of them.
bool smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// Replaces each floor by the mean.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns true if clearly fewer snapshots are in the later half of the windows than in the earlier
// half.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// Replaces each floor by the mean if floors and peaks change independently, and by as much. Then
// both show white noise between snapshots. The mean has the least of it, and a known amount.
// Returns the noise's variance. Writes nothing and returns 0 if they are not independent.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Returns the variance of white noise, from the distance of each floor to its neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// Returns true if the last window's mean, of few snapshots, is below the one before. It must be
// lower by more than so few snapshots vary by chance, and by much of the growth.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// Returns the number of windows with as many snapshots as usual. It is all, or all but the last,
// if that has just begun.
size_t smoothing_full(const struct trend_point *points, size_t count);

#endif
