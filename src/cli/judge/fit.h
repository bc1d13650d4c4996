// SPDX-License-Identifier: BSD-2-Clause
// fit: how well a sum of shapes explains a series whose noise resembles itself from value to value.
//
// The noise is autoregressive: each value keeps a share of the last one's noise, and adds its own.
// Shapes are fitted by generalized least squares, under shares of a grid. The share that fits best
// counts, sought from the grid's middle on. So one method judges independent noise, noise that
// wanders, and a random walk.
//
// The score is Schwarz's criterion (1978): twice the negative logarithm of the probability that a
// model gives to the series, but for a constant. Less is better.

#ifndef PMEM_CLI_FIT_H
#define PMEM_CLI_FIT_H

#include <stddef.h>

#include "judge/point.h"

enum {
	FIT_MAX = KENDALL_MAX, // most values of a series
	FIT_TERMS = 3,         // most shapes in a sum, beside the level
	FIT_PARTS = 4,
	FIT_LIKENESSES = 6, // shares of the noise that are tried
};
// Less than this share of a series' variance is taken for rounding.
#define FIT_ROUNDING 1e-6
// A place of a jump counts as two parameters and a half: a jump fits noise better than a bend does.
// (Hall, Osborn and Sakkas, "Inference on structural breaks using information criteria", Manchester
// School 81 (2013).)
#define FIT_PLACE_OF_JUMP 2.5

// Sums of products of two shapes, from which their product under any autocorrelation follows: of the
// first values, of equal moments, of neighbours, and of the moments before.
struct fit_product {
	double part[FIT_PARTS];
};

// The products of a shape with the level, the series and itself.
struct fit_shape {
	struct fit_product level, value, square;
};

// A series as it is fitted: times from 0 to 1, values of mean 0 and deviation 1.
struct fit_series {
	size_t count;
	double times[FIT_MAX], values[FIT_MAX];
	// fit_prepare() sets these
	double ones[FIT_MAX], price; // price: what a parameter adds to the score
	struct fit_shape level, self;
	struct fit_under {
		double kept;                  // the share of the noise that a value keeps
		double levels, mean, squares; // the level's square, the mean, and the squares about it
		double start;                 // the first value makes the variance count by this factor
	} under[FIT_LIKENESSES];
};

// Normal equations of centred shapes, under one likeness.
struct fit_equations {
	size_t count;
	double matrix[FIT_TERMS][FIT_TERMS], right[FIT_TERMS], squares; // matrix: the lower half
};

struct fit {
	double score;        // INFINITY: nothing was fitted
	double slope, error; // factor of the last shape, and its standard error
	double other;        // factor of the first of two shapes
	double kept;         // share of the noise that a value keeps
};

// Moves values to mean 0 and deviation 1, and completes the series. Returns the deviation before.
double fit_prepare(struct fit_series *series);

// Returns the shape that is so high at each time.
struct fit_shape fit_shape_of(const struct fit_series *series, const double *at);

struct fit_product fit_multiply(const double *a, const double *b, size_t count);

// Adds the product of two shapes at value i, and with the value before, to their product.
void fit_add(struct fit_product *product, const double *a, const double *b, size_t i);

// Fits a level and `count` shapes. products[] has their products with each other: those of shapes 0
// and 1, 0 and 2, 1 and 2. `places` is the number of further parameters that were searched for.
struct fit fit_shapes(const struct fit_series *series, const struct fit_shape *shapes, size_t count,
	const struct fit_product *products, double places);

// Fits a level that jumps one to three times.
struct fit fit_jumps(const struct fit_series *series);

// Fits a level and `count` shapes under the likeness that scores lowest. set_up() sets matrix and right side
// of a likeness. `places`: as of fit_shapes().
struct fit fit_best(const struct fit_series *series, size_t count, double places,
	void set_up(const void *shapes, size_t likeness, struct fit_equations *), const void *shapes);

// Returns what a product of shapes is under a likeness.
double fit_product_under(const struct fit_product *product, size_t likeness);

// A line is zero before the value at which it begins, and rises from there on. The product of two
// lines follows from what the later one has.
struct fit_bends {
	const struct fit_series *series;
	struct fit_bend {
		double n, t, tt, y; // sums of later ones, times, squares of times, and values
		double level, value, square; // the line's products, centred but for the level
	} at[FIT_LIKENESSES][FIT_MAX];
};

void fit_bends_prepare(struct fit_bends *bends, const struct fit_series *series);

// Fits a rise from one value to another, and a line that begins at value `since`, not before the
// rise has ended. Without a rise, `from` and `to` are equal. Without a line, `since` is the count.
struct fit fit_rises(const struct fit_bends *bends, size_t from, size_t to, size_t since);

// Fits a level that jumps at value `at`, which is not the first, and a line that begins at value
// `since`, not after the jump.
struct fit fit_jump(const struct fit_bends *bends, size_t at, size_t since);

#endif
