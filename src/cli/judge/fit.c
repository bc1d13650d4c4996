// SPDX-License-Identifier: BSD-2-Clause
// Under an autocorrelation r, each value less r times the one before has independent noise. The
// product of two shapes so transformed is a polynomial in r (fit_product). So each pair of shapes is
// multiplied once for all r.

#include <math.h>

#include "judge/fit.h"

// Shares of the noise that a value keeps. The distances are such that a share between two of them
// costs less than one unit of the score at 128 values. The last one is a random walk.
static const double likenesses[] = {0, 0.3, 0.6, 0.85, 0.95, 0.995};

// A level, a slope, the noise's variance and its likeness are estimated in each comparison. So as
// many values tell nothing.
static const double estimated = 4;

// Differences below a thousandth of the series' own deviation are taken for rounding.
static const double rounding = 1e-6;

// Normal equations of centred shapes, under one autocorrelation.
struct equations {
	size_t count;
	double matrix[FIT_TERMS][FIT_TERMS], right[FIT_TERMS], squares;
};

struct fit_product
fit_multiply(const double *a, const double *b, size_t count)
{
	struct fit_product product = {.first = a[0] * b[0]};

	for (size_t i = 1; i < count; i++) {
		product.same += a[i] * b[i];
		product.near += a[i] * b[i - 1] + a[i - 1] * b[i];
		product.before += a[i - 1] * b[i - 1];
	}
	return product;
}

static double
at(const struct fit_product *product, double r)
{
	return product->first * (1 - r * r) + product->same - r * product->near
		+ r * r * product->before;
}

static const double *
ones(size_t count, double *one)
{
	for (size_t i = 0; i < count; i++)
		one[i] = 1;
	return one;
}

void
fit_prepare(struct fit_series *series)
{
	double one[FIT_MAX];

	ones(series->count, one);
	series->levels = fit_multiply(one, one, series->count);
	series->value_levels = fit_multiply(one, series->values, series->count);
	series->squares = fit_multiply(series->values, series->values, series->count);
}

struct fit_shape
fit_shape_of(const struct fit_series *series, const double *at)
{
	double one[FIT_MAX];

	return (struct fit_shape){.level = fit_multiply(at, ones(series->count, one), series->count),
		.value = fit_multiply(at, series->values, series->count),
		.square = fit_multiply(at, at, series->count)};
}

static void
set_up(const struct fit_series *series, const struct fit_shape *const *shapes, size_t count,
	const struct fit_product *products, double r, struct equations *equations)
{
	double levels = at(&series->levels, r), mean = at(&series->value_levels, r) / levels;
	double level[FIT_TERMS];

	equations->count = count;
	equations->squares = at(&series->squares, r) - mean * mean * levels;
	for (size_t i = 0; i < count; i++) {
		level[i] = at(&shapes[i]->level, r);
		equations->right[i] = at(&shapes[i]->value, r) - mean * level[i];
		for (size_t k = 0; k < i; k++)
			equations->matrix[i][k] = at(&products[i + k - 1], r) - level[i] * level[k] / levels;
		equations->matrix[i][i] = at(&shapes[i]->square, r) - level[i] * level[i] / levels;
	}
}

// Solves the equations by Cholesky's method. Sets the factors of the first and the last shape, and
// the last one's error in units of the noise. Returns the squares that are left, or INFINITY if the
// shapes are alike.
static double
solve(struct equations *equations, struct fit *fit)
{
	double (*m)[FIT_TERMS] = equations->matrix, *z = equations->right;
	size_t count = equations->count;

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < i; k++) {
			for (size_t j = 0; j < k; j++)
				m[i][k] -= m[i][j] * m[k][j];
			m[i][k] /= m[k][k];
		}
		double own = m[i][i];
		for (size_t j = 0; j < i; j++) {
			m[i][i] -= m[i][j] * m[i][j];
			z[i] -= m[i][j] * z[j];
		}
		if (m[i][i] <= 1e-9 * own)
			return INFINITY;
		m[i][i] = sqrt(m[i][i]);
		z[i] /= m[i][i];
		equations->squares -= z[i] * z[i];
	}
	for (size_t i = count; i-- > 0;) {
		for (size_t k = i + 1; k < count; k++)
			z[i] -= m[k][i] * z[k];
		z[i] /= m[i][i];
	}
	fit->other = count > 0 ? z[0] : 0;
	fit->slope = count > 0 ? z[count - 1] : 0;
	fit->error = count > 0 ? 1 / m[count - 1][count - 1] : 0;
	return equations->squares;
}

struct fit
fit_shapes(const struct fit_series *series, const struct fit_shape *const *shapes, size_t count,
	const struct fit_product *products, double places)
{
	struct fit best = {.score = INFINITY}, fit = {0};
	double n = (double)series->count, parameters = 1 + (double)count + places;

	for (size_t i = 0; i < sizeof(likenesses) / sizeof(*likenesses); i++) {
		struct equations equations;
		double r = likenesses[i];
		set_up(series, shapes, count, products, r, &equations);
		double variance = fmax(solve(&equations, &fit) / n, rounding);
		fit.score = (n - estimated) * log(variance) - log(1 - r * r) + parameters * log(n);
		if (!(fit.score < best.score))
			continue;
		best = fit;
		best.noise = sqrt(variance * n / (n - estimated + 1));
		best.error *= best.noise;
		best.likeness = r;
	}
	return best;
}
