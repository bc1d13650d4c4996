// SPDX-License-Identifier: BSD-2-Clause
// Where the jumps are is found by dynamic programming, as if noise were independent. (Bellman and
// Roth, "Curve fitting by segmented straight lines", JASA 64 (1969).)

#include <math.h>

#include "judge/fit.h"

enum { JUMPS = FIT_TERMS };

// Squares left by the first values, with so many jumps; and where the last of these jumps is.
struct best {
	double squares[JUMPS + 1][FIT_MAX + 1];
	size_t last[JUMPS + 1][FIT_MAX + 1];
};

static void
find(const struct fit_series *series, struct best *best)
{
	double sum[FIT_MAX + 1] = {0}, square[FIT_MAX + 1] = {0};
	size_t count = series->count;

	for (size_t i = 0; i < count; i++) {
		sum[i + 1] = sum[i] + series->values[i];
		square[i + 1] = square[i] + series->values[i] * series->values[i];
		best->squares[0][i + 1] = square[i + 1] - sum[i + 1] * sum[i + 1] / (double)(i + 1);
	}
	for (size_t jumps = 1; jumps <= JUMPS; jumps++)
		for (size_t end = jumps + 1; end <= count; end++) {
			double least = INFINITY;
			for (size_t from = jumps; from < end; from++) {
				double part = sum[end] - sum[from];
				double left = best->squares[jumps - 1][from] + square[end] - square[from]
					- part * part / (double)(end - from);
				if (left >= least)
					continue;
				least = left;
				best->last[jumps][end] = from;
			}
			best->squares[jumps][end] = least;
		}
}

static struct fit
fit_so_many(const struct fit_series *series, const struct best *best, size_t jumps)
{
	double at[JUMPS][FIT_MAX];
	struct fit_shape shapes[JUMPS];
	struct fit_product products[JUMPS];
	size_t from = series->count;

	for (size_t i = 0; i < jumps; i++) {
		from = best->last[jumps - i][from];
		for (size_t k = 0; k < series->count; k++)
			at[i][k] = k >= from;
		shapes[i] = fit_shape_of(series, at[i]);
		for (size_t k = 0; k < i; k++)
			products[i + k - 1] = fit_multiply(at[i], at[k], series->count);
	}
	return fit_shapes(series, shapes, jumps, products, FIT_PLACE_OF_JUMP * (double)jumps);
}

struct fit
fit_jumps(const struct fit_series *series)
{
	struct fit best_fit = {.score = INFINITY};
	struct best best;

	find(series, &best);
	for (size_t jumps = 1; jumps <= JUMPS && jumps + 1 < series->count; jumps++) {
		struct fit fit = fit_so_many(series, &best, jumps);
		if (fit.score < best_fit.score)
			best_fit = fit;
	}
	return best_fit;
}
