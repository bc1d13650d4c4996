// SPDX-License-Identifier: BSD-2-Clause
// fit: how well a sum of shapes explains a series whose noise resembles itself from value to value.
//
// The noise is autoregressive: each value keeps a share of the last one's noise, and adds its own.
// For each share of a grid, shapes are fitted by generalized least squares. The share that fits
// best counts. So one method judges independent noise, noise that wanders, and a random walk.
//
// The score is Schwarz's criterion (1978): twice the negative logarithm of the probability that a
// model gives to the series, but for a constant. Less is better.
//
// Pure functions of their arguments. They allocate nothing.

#ifndef PMEM_CLI_FIT_H
#define PMEM_CLI_FIT_H

#include <stddef.h>

#include "trend/shape.h"

enum {
	FIT_MAX = KENDALL_MAX, // most values of a series
	FIT_TERMS = 3,         // most shapes in a sum, beside the level
};

// Sums of products of two shapes, from which their product under any autocorrelation follows.
struct fit_product {
	double first, same, near, before;
};

// A series as it is fitted: times from 0 to 1, values of mean 0 and deviation 1.
struct fit_series {
	size_t count;
	double times[FIT_MAX], values[FIT_MAX];
	struct fit_product levels, value_levels, squares;
};

// A shape: its products with the level, the series and itself.
struct fit_shape {
	struct fit_product level, value, square;
};

struct fit {
	double score;        // INFINITY: nothing was fitted
	double slope, error; // factor of the last shape, and its standard error
	double other;        // factor of the first shape
	double noise;        // standard deviation of what is left
	double likeness;     // share of the noise that a value keeps from the one before
};

// Completes a series whose count, times and values are set.
void fit_prepare(struct fit_series *series);

// Returns the shape that is so high at each time.
struct fit_shape fit_shape_of(const struct fit_series *series, const double *at);

struct fit_product fit_multiply(const double *a, const double *b, size_t count);

// Fits a level and `count` shapes. products[] has their products with each other: those of shapes 0
// and 1, 0 and 2, 1 and 2. `places` is the number of further parameters that were searched for.
struct fit fit_shapes(const struct fit_series *series, const struct fit_shape *const *shapes,
	size_t count, const struct fit_product *products, double places);

#endif
