// SPDX-License-Identifier: BSD-2-Clause
// kendall: tests whether a series has a trend, and measures its slope. It uses the order of
// values, not their size. So neither the noise's shape nor a stray value can spoil the answer.
//
// - The test: Mann, "Nonparametric tests against trend", Econometrica 13 (1945); Kendall,
//   "Rank correlation methods" (1975), whose variance allows for ties.
// - The slope, and its interval: Theil (1950); Sen, "Estimates of the regression coefficient
//   based on Kendall's tau", JASA 63 (1968): the median of the slopes of all pairs.
// - What follows a moment is much like that moment, so a series says less than its length
//   promises: Hamed and Rao, "A modified Mann-Kendall trend test for autocorrelated data",
//   Journal of Hydrology 204 (1998), widen the variance by the autocorrelation of the ranks of
//   what is left when the slope is taken away. Taken here up to the first lag that is not
//   significant, and never to narrow it. For the interval autocorrelation fades from there on
//   as from a value to the next, which is freed of its bias (Marriott and Pope, "Bias in the
//   estimation of autocorrelations", Biometrika 41 (1954)).
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
	double variance;           // of s, were there no trend; widened
	double p;                  // chance of such an s, or a larger one, without a trend
	double slope;              // a unit of time
	double slope_low, slope_high; // its interval, at 95%
};

// times must not fall; count is 3 to KENDALL_MAX.
struct kendall kendall_test(const double *times, const double *values, size_t count);

// The slope alone.
double kendall_slope(const double *times, const double *values, size_t count);

// What the values have grown by from the first to the last one. Where they fall much in
// between, these two may be noise, and it is what the slope comes to; but on a curve, which no
// slope fits, no more and no less than between the first few and the last few.
double kendall_growth(const double *times, const double *values, size_t count);

// Kendall's tau-b of two series: -1 to 1; 0 where one of them is constant.
double kendall_correlation(const double *a, const double *b, size_t count);

// Orders doubles from the least on, for qsort().
int kendall_by_value(const void *a, const void *b);

// Chance of so many rises, or more, among rises + falls, were both equally likely.
double kendall_sign_test(unsigned rises, unsigned falls);

#endif
