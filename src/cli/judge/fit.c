// SPDX-License-Identifier: BSD-2-Clause
// Under an autocorrelation r, each value less r times the one before has independent noise. The
// product of two shapes so transformed is a polynomial in r. So shapes are multiplied once for all r.

#include <math.h>

#include "judge/fit.h"

// Shares of the noise that a value keeps. A share between two of these costs less than one unit of
// the score at 128 values. The last one is a random walk.
static const double likenesses[] = {0, 0.3, 0.6, 0.85, 0.95, 0.995};
// A level, a slope, the noise's variance and its likeness are estimated in each comparison. So as
// many values tell nothing.
static const double estimated = 4;
// The score has one minimum over all likenesses. So if the variance has risen by this factor, no later one is
// better.
static const double hopeless = 1.05;

// Normal equations of centred shapes, under one autocorrelation.
struct equations {
	size_t count;
	double matrix[FIT_TERMS][FIT_TERMS], right[FIT_TERMS], squares;
};

void
fit_add(struct fit_product *product, const double *a, const double *b, size_t i)
{
	product->part[1] += a[i] * b[i];
	product->part[2] += a[i] * b[i - 1] + a[i - 1] * b[i];
	product->part[3] += a[i - 1] * b[i - 1];
}

struct fit_product
fit_multiply(const double *a, const double *b, size_t count)
{
	struct fit_product product = {{a[0] * b[0]}};

	for (size_t i = 1; i < count; i++)
		fit_add(&product, a, b, i);
	return product;
}

static double
at(const struct fit_product *product, double r)
{
	const double *part = product->part;

	return part[0] * (1 - r * r) + part[1] - r * part[2] + r * r * part[3];
}

struct fit_shape
fit_shape_of(const struct fit_series *series, const double *at)
{
	return (struct fit_shape){.level = fit_multiply(at, series->ones, series->count),
		.value = fit_multiply(at, series->values, series->count),
		.square = fit_multiply(at, at, series->count)};
}

double
fit_prepare(struct fit_series *series)
{
	double mean = 0, square = 0, n = (double)series->count;

	for (size_t i = 0; i < series->count; i++)
		mean += series->values[i] / n;
	for (size_t i = 0; i < series->count; i++) {
		series->values[i] -= mean;
		square += series->values[i] * series->values[i] / n;
	}
	for (size_t i = 0; i < series->count && square > 0; i++)
		series->values[i] /= sqrt(square);
	for (size_t i = 0; i < series->count; i++)
		series->ones[i] = 1;
	series->level = fit_shape_of(series, series->ones);
	series->self = fit_shape_of(series, series->values);
	return sqrt(square);
}

static struct equations
set_up(const struct fit_series *series, const struct fit_shape *shapes, size_t count,
	const struct fit_product *products, double r)
{
	double levels = at(&series->level.square, r), mean = at(&series->self.level, r) / levels;
	double level[FIT_TERMS];
	struct equations equations = {.count = count};

	equations.squares = at(&series->self.square, r) - mean * mean * levels;
	for (size_t i = 0; i < count; i++) {
		level[i] = at(&shapes[i].level, r);
		equations.right[i] = at(&shapes[i].value, r) - mean * level[i];
		for (size_t k = 0; k < i; k++)
			equations.matrix[i][k] = at(&products[i + k - 1], r) - level[i] * level[k] / levels;
		equations.matrix[i][i] = at(&shapes[i].square, r) - level[i] * level[i] / levels;
	}
	return equations;
}

// Eliminates each shape from the later ones, and from the right side (Gauss). Returns the squares that are
// left, or INFINITY if shapes are alike.
static double
eliminate(struct equations *equations)
{
	double (*m)[FIT_TERMS] = equations->matrix, *z = equations->right;

	for (size_t i = 0; i < equations->count; i++) {
		double own = m[i][i];
		for (size_t k = 0; k < i; k++) {
			for (size_t j = 0; j < k; j++)
				m[i][k] -= m[i][j] * m[k][j] * m[j][j];
			m[i][k] /= m[k][k];
			m[i][i] -= m[i][k] * m[i][k] * m[k][k];
			z[i] -= m[i][k] * z[k];
		}
		if (m[i][i] <= FIT_ROUNDING * FIT_ROUNDING * own)
			return INFINITY;
		equations->squares -= z[i] * z[i] / m[i][i];
	}
	return equations->squares;
}

// Sets the factors of the first of two shapes and of the last shape, and the last one's error.
static void
solve(const struct equations *equations, double noise, struct fit *fit)
{
	const double (*m)[FIT_TERMS] = equations->matrix, *z = equations->right;
	size_t last = equations->count - 1;

	fit->slope = z[last] / m[last][last];
	fit->other = last > 0 ? z[0] / m[0][0] - m[last][0] * fit->slope : 0;
	fit->error = noise / sqrt(m[last][last]);
}

struct fit
fit_shapes(const struct fit_series *series, const struct fit_shape *shapes, size_t count,
	const struct fit_product *products, double places)
{
	struct fit best = {.score = INFINITY};
	double n = (double)series->count, price = (1 + (double)count + places) * log(n), least = INFINITY;

	for (size_t i = 0; i < sizeof(likenesses) / sizeof(*likenesses); i++) {
		double r = likenesses[i];
		struct equations equations = set_up(series, shapes, count, products, r);
		double variance = fmax(eliminate(&equations) / n, FIT_ROUNDING);
		if (variance > hopeless * least)
			break;
		if (variance >= least)
			continue;
		double score = (n - estimated) * log(variance) - log(1 - r * r) + price;
		if (!(score < best.score))
			continue;
		best.score = score;
		best.kept = r;
		least = variance;
		if (count > 0)
			solve(&equations, sqrt(variance * n / (n - estimated + 1)) * n / (n - estimated), &best);
	}
	return best;
}
