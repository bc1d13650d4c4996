// SPDX-License-Identifier: BSD-2-Clause
// Dynamic programming finds the steps. The best fit of n steps up to a point has two parts: the
// best fit of n - 1 steps up to some earlier point, and a level from there on. So the fits for n
// follow from those for n - 1. (Bellman, "On the approximation of curves by line segments using
// dynamic programming", Communications of the ACM 4 (1961).)

#include <math.h>

#include "base/assert.h"
#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/steps.h"
#include "trend/verdict.h"

enum {
	STEPS_LEAST = 2, // a single step is like a curve that has become level (curve.c)
	STEPS_MOST = 3,  // more steps than this look like a leak, as evenly spaced ones do
	// fewest points between two steps. One point is enough at each end of the series
	LEVEL_LEAST = 2,
};

// Sums over the first floors, and the best fits.
struct fits {
	size_t count;
	struct line_sums sums[KENDALL_MAX + 1];
	// left[steps][to] has the squared residuals of the best fit of `steps` steps to the points
	// before `to`. from[][] is the point where the last level of this fit begins.
	double left[STEPS_MOST + 1][KENDALL_MAX + 1];
	size_t from[STEPS_MOST + 1][KENDALL_MAX + 1];
};

// Returns the mean of floors `from` to `to` - 1, less a constant.
static double
level_of(const struct fits *fits, size_t from, size_t to)
{
	return (fits->sums[to].x - fits->sums[from].x) / (double)(to - from);
}

// Returns the sum of the squared distances of floors `from` to `to` - 1 from their mean.
static double
squares_off_level(const struct fits *fits, size_t from, size_t to)
{
	double mean = level_of(fits, from, to);
	return fits->sums[to].xx - fits->sums[from].xx - mean * mean * (double)(to - from);
}

static void
find_steps(const struct stretch *stretch, struct fits *fits)
{
	fits->count = stretch->count;
	shape_sum_up(stretch, fits->sums);
	for (size_t to = 0; to <= fits->count; to++)
		fits->left[0][to] = to == 0 ? INFINITY : squares_off_level(fits, 0, to);
	for (int steps = 1; steps <= STEPS_MOST; steps++) {
		for (size_t to = 0; to <= fits->count; to++) {
			double *least = &fits->left[steps][to];
			size_t points = to == fits->count ? 1 : LEVEL_LEAST;
			*least = INFINITY;
			for (size_t from = 1; from + points <= to; from++) {
				double left = fits->left[steps - 1][from] + squares_off_level(fits, from, to);
				if (left >= *least)
					continue;
				*least = left;
				fits->from[steps][to] = from;
			}
		}
	}
}

// Returns the autocorrelation of the fit's residuals, without the bias that fitting adds.
static double
autocorrelation(const struct fits *fits, const double *floors, int steps)
{
	double off[KENDALL_MAX], square = 0, product = 0, middle = floors[fits->count / 2];
	double n = (double)fits->count, levels = steps + 1;

	for (size_t to = fits->count; steps >= 0; steps--) {
		size_t from = steps > 0 ? fits->from[steps][to] : 0;
		for (size_t i = from; i < to; i++)
			off[i] = floors[i] - middle - level_of(fits, from, to);
		to = from;
	}
	for (size_t i = 0; i < fits->count; i++) {
		square += off[i] * off[i];
		product += i > 0 ? off[i] * off[i - 1] : 0;
	}
	double correlation = square > 0 ? product / square : 0;
	return fmin(fmax((n * correlation + levels) / fmax(n - 2 * levels, 1), 0), 1);
}

// A fit's squared residuals, and the number of independent values that have as much information as the
// autocorrelated floors.
struct fit {
	double left, fresh;
};

static struct fit
fit_of(const struct stretch *stretch, const struct fits *fits, int steps)
{
	double correlation = autocorrelation(fits, stretch->floors, steps);

	return (struct fit){
		.left = fmax(fits->left[steps][fits->count],
			CURVE_NOTHING * squares_off_level(fits, 0, fits->count)),
		.fresh = (double)fits->count * (1 - correlation) / (1 + correlation),
	};
}

// Returns the evidence for the fit, against another with squared residuals `worse` and so many parameters
// less. Each parameter costs log(fresh), by Schwarz's criterion.
static double
evidence_of(const struct fit *fit, double worse, int parameters)
{
	return fit->fresh * log(worse / fit->left) - parameters * log(fmax(fit->fresh, 1));
}

// The steps have a first level as a parameter. Each step has two parameters more: its level and its place.
// The line has two parameters, its height and its slope.
bool
steps_are_there(const struct stretch *stretch)
{
	static struct fits fits;

	if (stretch->count < SHAPE_LEAST)
		return false;
	find_steps(stretch, &fits);
	double line = shape_squares_off(&fits.sums[0], &fits.sums[fits.count]);
	for (int steps = STEPS_LEAST; steps <= STEPS_MOST; steps++) {
		struct fit fit = fit_of(stretch, &fits, steps);
		if (line > 0 && fit.left > 0 && evidence_of(&fit, line, 2 * steps - 1) > TREND_VERY_STRONG)
			return true;
	}
	return false;
}

// The points before the onset get the best fit for them: up to two steps, or another line. The onset is a
// parameter, too.
bool
steps_fit_better(const struct stretch *all, size_t onset)
{
	static struct fits fits;

	ASSERT(onset < all->count);
	find_steps(all, &fits);
	double line = shape_squares_off(&fits.sums[onset], &fits.sums[fits.count]);
	double bent = line + shape_squares_off(&fits.sums[0], &fits.sums[onset]);
	for (int steps = 1; steps <= STEPS_MOST; steps++) {
		struct fit fit = fit_of(all, &fits, steps);
		double least = fit.left > 0 ? evidence_of(&fit, bent, 2 * steps - 4) : 0;
		for (int before = 0; before < STEPS_MOST && fit.left > 0; before++)
			least = fmin(least, evidence_of(&fit, line + fits.left[before][onset],
				2 * steps - 2 * before - 3));
		if (least > 0)
			return true;
	}
	return false;
}

bool
steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm)
{
	static struct fits fits;
	struct line_sums sums[KENDALL_MAX + 1];

	shape_sum_up(calm, sums);
	double left = shape_squares_off(&sums[0], &sums[calm->count]);
	find_steps(all, &fits);
	for (int steps = 1; steps <= STEPS_MOST; steps++)
		if (fits.left[steps][fits.count] <= 2 * left)
			return true;
	return false;
}
