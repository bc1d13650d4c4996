// SPDX-License-Identifier: BSD-2-Clause
// smoothing: a series smoothed, where its floors alone do not tell.

#ifndef PMEM_CLI_SMOOTHING_H
#define PMEM_CLI_SMOOTHING_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

enum { SMOOTHING_COARSE = 4 }; // windows taken together

// So many windows to one; how many these are.
size_t smoothing_coarse(const struct trend_point *points, size_t count,
	struct trend_point *coarse);

// Halfway between floor and peak in the floor's stead. False, and nothing is written: there is
// nothing else to see, since they hardly differ, or end no higher than they are for most of the
// time.
bool smoothing_midpoints(const struct trend_point *points, size_t count,
	struct trend_point *midpoints);

// The mean in the floor's stead.
void smoothing_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// Clearly more snapshots told of the earlier half of the windows than of the later.
bool smoothing_thins_out(const struct trend_point *points, size_t count);

// The mean in the floor's stead where floors and peaks go up and down each by itself, and as far:
// then they are two witnesses of noise that no snapshot shares with the next, of which a mean has
// the least, and it is known. Its variance; 0, and nothing is written: they are not.
double smoothing_independent_means(const struct trend_point *points, size_t count,
	struct trend_point *means);

// The variance of noise that no value shares with the next, by what each floor lies off its
// neighbours.
double smoothing_noise(const struct trend_point *points, size_t count);

// The last window's mean, of few snapshots, lies below the one before: by more than such few are
// off by chance, and by much of the growth.
bool smoothing_falls_at_last(const struct trend_point *points, size_t count, double noise,
	double growth);

// How many of them are means of so many snapshots as usual: all, or all but the last, which has
// just begun.
size_t smoothing_full(const struct trend_point *points, size_t count);

#endif
