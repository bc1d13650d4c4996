// SPDX-License-Identifier: BSD-2-Clause
// Under an autocorrelation r, each value less r times the one before has independent noise. The
// product of two shapes so transformed is a polynomial in r. So shapes are multiplied once for all r.

#include <math.h>

#include "judge/fit.h"

// Shares of the noise that a value keeps. A share between two of these costs less than one unit of
// the score at 128 values. The last one is a random walk.
static const double likenesses[FIT_LIKENESSES] = {0, 0.3, 0.6, 0.85, 0.95, 0.995};
// In all but one of 3,000 fits, the score has one minimum over all shares. So the search may begin in the
// middle.
enum { MIDDLE = 2 };
// A level, a slope, the noise's variance and its likeness are estimated in each comparison. So as
// many values tell nothing.
static const double estimated = 4;

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

double
fit_product_under(const struct fit_product *product, size_t likeness)
{
	const double *part = product->part, r = likenesses[likeness];

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
	series->price = log((double)series->count);
	series->level = fit_shape_of(series, series->ones);
	series->self = fit_shape_of(series, series->values);
	for (size_t i = 0; i < FIT_LIKENESSES; i++) {
		struct fit_under *under = &series->under[i];
		under->kept = likenesses[i];
		under->levels = fit_product_under(&series->level.square, i);
		under->mean = fit_product_under(&series->self.level, i) / under->levels;
		under->squares = fit_product_under(&series->self.square, i)
			- under->mean * under->mean * under->levels;
		// The first value is as likely as noise of the whole.
		under->start = pow(1 - under->kept * under->kept, -1 / (n - estimated));
	}
	return sqrt(square);
}

// Eliminates each shape from the later ones, and from the right side (Gauss). Returns the squares that are
// left, or INFINITY if shapes are alike.
static double
eliminate(struct fit_equations *equations)
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
solve(const struct fit_equations *equations, double noise, struct fit *fit)
{
	const double (*m)[FIT_TERMS] = equations->matrix, *z = equations->right;
	size_t last = equations->count - 1;

	fit->slope = z[last] / m[last][last];
	fit->other = last > 0 ? z[0] / m[0][0] - m[last][0] * fit->slope : 0;
	fit->error = noise / sqrt(m[last][last]);
}

struct fit
fit_best(const struct fit_series *series, size_t count, double places,
	void set_up(const void *shapes, size_t likeness, struct fit_equations *), const void *shapes)
{
	struct fit_equations tried[] = {{.count = count}, {.count = count}}, *best = tried, *next = tried + 1;
	double n = (double)series->count, lowest = INFINITY;
	size_t kept = MIDDLE, i = MIDDLE;
	struct fit fit = {0};

	for (int way = 1; i < FIT_LIKENESSES; i += (size_t)way) {
		next->squares = series->under[i].squares;
		set_up(shapes, i, next);
		next->squares = fmax(eliminate(next) / n, FIT_ROUNDING);
		if (next->squares * series->under[i].start < lowest) {
			struct fit_equations *other = best;
			best = next;
			next = other;
			lowest = best->squares * series->under[i].start;
			kept = i;
		} else if (way == 1 && i == MIDDLE + 1) {
			way = -1;
			i = MIDDLE;
		} else {
			break;
		}
	}
	fit.kept = series->under[kept].kept;
	fit.score = (n - estimated) * log(lowest) + (1 + (double)count + places) * series->price;
	if (count > 0 && lowest < INFINITY)
		solve(best, sqrt(best->squares * n / (n - estimated + 1)) * n / (n - estimated), &fit);
	return fit;
}

struct sum {
	const struct fit_series *series;
	const struct fit_shape *shapes;
	const struct fit_product *products;
};

static void
set_up_sum(const void *shapes, size_t likeness, struct fit_equations *equations)
{
	const struct sum *sum = shapes;
	const struct fit_under *under = &sum->series->under[likeness];
	double level[FIT_TERMS];

	for (size_t i = 0; i < equations->count; i++) {
		const struct fit_shape *shape = &sum->shapes[i];
		level[i] = fit_product_under(&shape->level, likeness);
		equations->right[i] = fit_product_under(&shape->value, likeness) - under->mean * level[i];
		for (size_t k = 0; k < i; k++)
			equations->matrix[i][k] = fit_product_under(&sum->products[i + k - 1], likeness)
				- level[i] * level[k] / under->levels;
		equations->matrix[i][i] = fit_product_under(&shape->square, likeness)
			- level[i] * level[i] / under->levels;
	}
}

struct fit
fit_shapes(const struct fit_series *series, const struct fit_shape *shapes, size_t count,
	const struct fit_product *products, double places)
{
	struct sum sum = {series, shapes, products};

	return fit_best(series, count, places, set_up_sum, &sum);
}
