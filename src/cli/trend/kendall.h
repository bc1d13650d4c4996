// SPDX-License-Identifier: BSD-2-Clause
// kendall: tests whether a series has a trend, and measures its slope. It uses the order of
// values, not their size. So neither the noise's shape nor a stray value can spoil the answer.
//
// - The test is by Mann, "Nonparametric tests against trend", Econometrica 13 (1945); Kendall,
//   "Rank correlation methods" (1975), whose variance allows for ties.
// - The slope is the median of the slopes of all pairs, with its interval: Theil (1950); Sen,
//   "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968).
// - Neighbouring values are alike, so a series says less than its length promises. The variance is
//   widened by the autocorrelation of the residuals' ranks: Hamed and Rao, "A modified Mann-Kendall
//   trend test for autocorrelated data", Journal of Hydrology 204 (1998). Here autocorrelation is
//   used up to the first lag that is not significant, and never to narrow the variance. For the
//   interval, autocorrelation fades behind that lag as from a value to the next. That first
//   autocorrelation is freed of its bias (Marriott and Pope, "Bias in the estimation of
//   autocorrelations", Biometrika 41 (1954)).
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_KENDALL_H
#define PMEM_CLI_KENDALL_H

#include <stddef.h>

enum {
	KENDALL_MAX = 128, // values in a series, at most
};

struct kendall {
	double s;                  // pairs that rise less pairs that fall
	double variance;           // of s without a trend, widened
	double p;                  // chance of this s or a larger one, without a trend
	double slope;              // for each unit of time
	double slope_low, slope_high; // its interval, at 95%
};

// Tests a series for a rise, and measures its slope. times must not fall. count is 3 to
// KENDALL_MAX.
struct kendall kendall_test(const double *times, const double *values, size_t count);

// Returns only the slope.
double kendall_slope(const double *times, const double *values, size_t count);

// Returns the growth from the first to the last value. If values fall much in between, these two
// may be noise, so the growth is the slope times the time. No slope fits a curve. So the growth is
// bounded by the differences between the first few and the last few values.
double kendall_growth(const double *times, const double *values, size_t count);

// Returns Kendall's tau-b of two series, -1 to 1. 0 if one of them is constant.
double kendall_correlation(const double *a, const double *b, size_t count);

// Orders doubles, the least first, for qsort().
int kendall_by_value(const void *a, const void *b);

// Returns the chance of this many rises or more among rises + falls, if both are equally likely.
double kendall_sign_test(unsigned rises, unsigned falls);

#endif
