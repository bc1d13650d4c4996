// trend_series: histories with known answers, for tests of trend.h. Each begins with its own
// seed, so they are the same in every run.

#ifndef PMEM_TEST_TREND_SERIES_H
#define PMEM_TEST_TREND_SERIES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "trend/verdict.h"

enum { SERIES_SNAPSHOTS = 8 }; // of the log in a window

static uint64_t series_state;
static int series_snapshots = SERIES_SNAPSHOTS; // the same, where a test sets it
static bool series_is_sparse; // each window has fewer than the one before, the last one alone
static int series_last; // and of the last window alone, which has just begun; 0: the same

// Not by what each number adds: a series would be a part of that with the next seed.
static inline void
series_seed(uint64_t seed)
{
	series_state = (seed + 1) * UINT64_C(0xd1342543de82ef95);
}

// 0 to 1.
static inline double
series_chance(void)
{
	series_state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t mixed = (series_state ^ (series_state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (double)((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

// Mean 0, deviation 1.
static inline double
series_noise(void)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += series_chance();
	return sum;
}

// Live bytes at a time from 0 to 1; called in the order of time, once for each snapshot.
typedef double (*series_live)(double time);

static inline void
series_make(struct trend_point *points, size_t count, series_live live)
{
	for (size_t i = 0; i < count; i++) {
		struct trend_point *point = &points[i];
		int told = i + 1 == count && series_last > 0 ? series_last : series_snapshots;
		if (series_is_sparse)
			told -= (int)((size_t)(told - 1) * i / (count - 1));
		*point = (struct trend_point){.load = -1, .told = told};
		for (int snapshot = 0; snapshot < told; snapshot++) {
			double now = ((double)i * series_snapshots + snapshot) / (double)count / series_snapshots;
			double bytes = floor(live(now));
			if (snapshot == 0 || bytes < point->floor) {
				point->floor = bytes;
				point->time = now;
			}
			if (snapshot == 0 || bytes > point->peak)
				point->peak = bytes;
			point->mean += bytes / told;
		}
		point->blocks = floor(point->floor / 64);
	}
}

#endif
