// SPDX-License-Identifier: BSD-2-Clause
// kendall: tests whether a series has a trend, and measures its slope. The test uses the order of
// values, not their size. So the result depends neither on the noise's distribution nor on a single
// stray value.
//
// - The test is by Mann, "Nonparametric tests against trend", Econometrica 13 (1945); Kendall,
//   "Rank correlation methods" (1975), whose variance allows for ties.
// - The slope is the median of the slopes of all pairs: Theil (1950); Sen,
//   "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968).
// - Neighbouring values are alike, so a series has less information than as many independent
//   values. The variance is widened by the autocorrelation of the residuals' ranks: Hamed and Rao,
//   "A modified Mann-Kendall trend test for autocorrelated data", Journal of Hydrology 204 (1998).
//   Here the autocorrelation counts up to the first lag at which it is not significant. The
//   variance is never narrowed.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_KENDALL_H
#define PMEM_CLI_KENDALL_H

#include <stddef.h>

enum {
	KENDALL_MAX = 128, // a series has at most this many values
};

// Quantile of the normal distribution, for an interval at 95%.
#define KENDALL_TWO_SIDED 1.959964

struct kendall {
	double s;                  // number of rising pairs of values, less that of falling pairs
	double variance;           // variance that s has without a trend, widened for autocorrelation
	double p;                  // the chance of this s or a larger one if there is no trend
};

// Tests a series for a rise. times must not fall. count is 3 to KENDALL_MAX.
struct kendall kendall_test(const double *times, const double *values, size_t count);

// Returns the change of the value per unit of time.
double kendall_slope(const double *times, const double *values, size_t count);

// Returns the growth over the series. If values hardly ever fall, the growth is the last value less
// the first. Otherwise the first and the last value may be off by noise. Then the growth is the
// slope times the duration. But a curve has no single slope. So the growth is kept within the range
// of the differences between the last few values and the first few.
double kendall_growth(const double *times, const double *values, size_t count);

// Returns Kendall's tau-b of two series, -1 to 1. 0 if one of them is constant.
double kendall_correlation(const double *a, const double *b, size_t count);

// Returns the median of the values, and sorts them.
double kendall_median(double *values, size_t count);

// Returns the chance that at least `rises` of rises + falls changes are rises, if both are equally
// likely.
double kendall_sign_test(unsigned rises, unsigned falls);

#endif
