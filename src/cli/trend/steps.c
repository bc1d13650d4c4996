// SPDX-License-Identifier: BSD-2-Clause
// Dynamic programming finds the steps. The best fit of n steps up to a point has two parts: the
// best fit of n - 1 steps up to some earlier point, and a level from there on. So the fits for n
// follow from those for n - 1. (Bellman, "On the approximation of curves by line segments using
// dynamic programming", Communications of the ACM 4 (1961).)

#include <math.h>
#include <stdlib.h>

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

// This evidence (verdict.h) for steps is enough if the variance of the noise is known. If the
// variance is estimated from the residuals, TREND_VERY_STRONG is needed, since steps resemble
// leaks.
static const double enough_by_noise = 6;
// A fit leaves nothing but noise if the variance of its residuals is at most this many times the
// variance of the noise.
static const double all_noise = 2;

// A window may have a step inside. Then its middle, halfway from floor to peak, is below its peak
// by half the step plus noise. Each of the two levels has only a part of the window's values. So
// this noise is smaller than `usual` (struct fits), by this share of `usual`.
static const double fewer = 0.37;
// A window with a step inside belongs to no level, and so has no residual. Instead, this share of
// the square of `usual` is added to the squared residuals. It is three times what noise would add.
static const double between = 0.3;

// The floors less their mean, sums over the first floors, and the best fits.
struct fits {
	size_t count;
	double floors[KENDALL_MAX];
	double above[KENDALL_MAX]; // distance of each peak from the value in floors[]
	double usual;              // the median of above[]
	double sum[KENDALL_MAX + 1], square[KENDALL_MAX + 1];
	// left[steps][to] has the squared residuals of the best fit of `steps` steps to the points
	// before `to`. from[][] is the point where the last level of this fit begins. until[][] is
	// the end of the level before. If the step is inside a window, this window is number
	// until[][], and from[][] is the next.
	double left[STEPS_MOST + 1][KENDALL_MAX + 1];
	size_t from[STEPS_MOST + 1][KENDALL_MAX + 1];
	size_t until[STEPS_MOST + 1][KENDALL_MAX + 1];
};

// Returns the sum of the squared distances of floors `from` to `to` - 1 from their mean.
static double
squares_off_level(const struct fits *fits, size_t from, size_t to)
{
	double sum = fits->sum[to] - fits->sum[from];
	return fits->square[to] - fits->square[from] - sum * sum / (double)(to - from);
}

static void
sum_up(const struct stretch *stretch, const double *floors, struct fits *fits)
{
	double sorted[KENDALL_MAX], mean = 0;
	size_t count = stretch->count;

	ASSERT(count > 0 && count <= KENDALL_MAX);
	fits->count = count;
	fits->sum[0] = fits->square[0] = 0;
	for (size_t i = 0; i < count; i++)
		mean += floors[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		double off = floors[i] - mean;
		fits->floors[i] = off;
		fits->above[i] = sorted[i] = stretch->points[i].peak - floors[i];
		fits->sum[i + 1] = fits->sum[i] + off;
		fits->square[i + 1] = fits->square[i] + off * off;
	}
	qsort(sorted, count, sizeof(*sorted), kendall_by_value);
	fits->usual = sorted[count / 2];
}

// One level ends before window `at`. A second level begins after this window, and ends at `to`.
// Returns true if the step between both levels seems to be inside the window. Two conditions must
// hold. The window's value lies between both levels. And the distance from this value to the
// window's peak is nearer to the distance that a step inside makes than to `usual`, the distance
// without a step.
static bool
is_between(const struct fits *fits, int steps, size_t at, size_t to)
{
	size_t from = steps > 0 ? fits->from[steps][at] : 0, behind = at + 1;
	double value = fits->floors[at];
	double low = (fits->sum[at] - fits->sum[from]) / (double)(at - from);
	double high = (fits->sum[to] - fits->sum[behind]) / (double)(to - behind);
	double wider = fabs(high - low) / 2 - fewer * fits->usual;

	return (value - low) * (high - value) > 0
		&& fits->above[at] - fits->usual > fmax(wider / 2, 0);
}

static void
find_steps(struct fits *fits)
{
	double off = between * fits->usual * fits->usual;

	for (size_t to = 0; to <= fits->count; to++)
		fits->left[0][to] = to == 0 ? INFINITY : squares_off_level(fits, 0, to);
	for (int steps = 1; steps <= STEPS_MOST; steps++) {
		for (size_t to = 0; to <= fits->count; to++) {
			double *least = &fits->left[steps][to];
			size_t points = to == fits->count ? 1 : LEVEL_LEAST;
			*least = INFINITY;
			for (size_t from = 1; from + points <= to; from++) {
				double level = squares_off_level(fits, from, to);
				double left = fits->left[steps - 1][from] + level;
				double left_between = fits->left[steps - 1][from - 1] + level + off;
				bool has_between = left_between < fmin(left, *least)
					&& is_between(fits, steps - 1, from - 1, to);
				if (!has_between && left >= *least)
					continue;
				*least = has_between ? left_between : left;
				fits->from[steps][to] = from;
				fits->until[steps][to] = from - has_between;
			}
		}
	}
}

// Returns the autocorrelation of the fit's residuals, without the bias that fitting adds.
static double
autocorrelation(const struct fits *fits, int steps)
{
	double off[KENDALL_MAX], square = 0, product = 0;
	double n = (double)fits->count, levels = steps + 1;

	for (size_t i = 0; i < fits->count; i++)
		off[i] = 0;
	for (size_t to = fits->count; steps >= 0; steps--) {
		size_t from = steps > 0 ? fits->from[steps][to] : 0;
		double level = (fits->sum[to] - fits->sum[from]) / (double)(to - from);
		for (size_t i = from; i < to; i++)
			off[i] = fits->floors[i] - level;
		to = steps > 0 ? fits->until[steps][to] : 0;
	}
	for (size_t i = 0; i < fits->count; i++) {
		square += off[i] * off[i];
		product += i > 0 ? off[i] * off[i - 1] : 0;
	}
	double correlation = square > 0 ? product / square : 0;
	return fmin(fmax((n * correlation + levels) / fmax(n - 2 * levels, 1), 0), 1);
}

// Returns the squared residuals of the best line through floors `from` to `to` - 1.
static double
squares_off_line(const struct stretch *stretch, const struct fits *fits, size_t from,
	size_t to)
{
	double n = (double)(to - from), mean = 0, tt = 0, tx = 0;

	for (size_t i = from; i < to; i++)
		mean += stretch->times[i] / n;
	for (size_t i = from; i < to; i++) {
		tt += pow(stretch->times[i] - mean, 2);
		tx += (stretch->times[i] - mean) * fits->floors[i];
	}
	double all = squares_off_level(fits, from, to);
	return tt > 0 ? fmax(all - tx * tx / tt, 0) : all;
}

// A fit's residuals, and what is needed to compute evidence from them.
struct fit {
	double left; // squared residuals
	double noise; // variance of the noise. 0 if it is estimated from `left`
	// number of independent values that have as much information as the autocorrelated floors
	double fresh;
	// by Schwarz's criterion, each parameter of the fit lowers the evidence by this
	double price;
};

static struct fit
fit_of(const struct fits *fits, int steps, double noise)
{
	double n = (double)fits->count;
	double correlation = noise > 0 ? 0 : autocorrelation(fits, steps);
	struct fit fit = {.fresh = n * (1 - correlation) / (1 + correlation)};

	fit.left = fmax(fits->left[steps][fits->count],
		CURVE_NOTHING * squares_off_level(fits, 0, fits->count));
	// If the residuals' variance is larger than `noise`, that variance is taken instead.
	if (noise > 0)
		fit.noise = fmax(noise, fit.left / fmax(n - (2 * steps + 1), 1));
	fit.price = log(fmax(fit.fresh, 1));
	return fit;
}

// Returns the evidence for the fit, against another fit whose squared residuals are `worse`.
static double
gain_over(const struct fit *fit, double worse)
{
	return fit->noise > 0 ? (worse - fit->left) / fit->noise : fit->fresh * log(worse / fit->left);
}

// Returns the evidence for the best two or three steps, against a line. Each parameter subtracts
// from the evidence. The steps have a first level as a parameter. Each step has two parameters
// more: its level and its place. The line has two parameters, its height and its slope.
static double
evidence_of(const struct stretch *stretch, const double *floors, double noise)
{
	static struct fits fits;
	double best = -INFINITY;

	sum_up(stretch, floors, &fits);
	find_steps(&fits);
	double line = squares_off_line(stretch, &fits, 0, fits.count);
	for (int steps = STEPS_LEAST; steps <= STEPS_MOST; steps++) {
		struct fit fit = fit_of(&fits, steps, noise);
		if (line > 0 && fit.left > 0)
			best = fmax(best, gain_over(&fit, line) - (2 * steps - 1) * fit.price);
	}
	return best;
}

// A step raises floors and peaks, and their noise may be independent. So the middles between floors
// and peaks, which have less noise, may show a step better.
bool
steps_are_there(const struct stretch *stretch, double noise)
{
	double middles[KENDALL_MAX];

	if (stretch->count < SHAPE_LEAST)
		return false;
	for (size_t i = 0; i < stretch->count; i++)
		middles[i] = (stretch->points[i].floor + stretch->points[i].peak) / 2;
	return evidence_of(stretch, stretch->floors, noise) > (noise > 0 ? enough_by_noise : TREND_VERY_STRONG)
		|| evidence_of(stretch, middles, 0) > TREND_VERY_STRONG;
}

// Returns the evidence for `steps` steps through all points, against a line from the onset on. The
// points before the onset get the best fit for them: up to two steps, or another line. Each level
// and each place of a step is a parameter. A line has two parameters.
static double
evidence_against_line(const struct stretch *all, const struct fits *fits, int steps,
	size_t onset)
{
	struct fit fit = fit_of(fits, steps, 0);
	double line = squares_off_line(all, fits, onset, fits->count), least = INFINITY;

	if (fit.left <= 0)
		return -INFINITY;
	for (int before = 0; before < STEPS_MOST; before++)
		least = fmin(least, gain_over(&fit, line + fits->left[before][onset])
			+ (2 * before + 1) * fit.price);
	double bent = line + squares_off_line(all, fits, 0, onset);
	least = fmin(least, gain_over(&fit, bent) + 2 * fit.price);
	return least + 3 * fit.price - (2 * steps + 1) * fit.price;
}

bool
steps_fit_better(const struct stretch *all, size_t onset)
{
	static struct fits fits;
	double best = -INFINITY;

	ASSERT(onset < all->count);
	sum_up(all, all->floors, &fits);
	find_steps(&fits);
	for (int steps = 1; steps <= STEPS_MOST; steps++)
		best = fmax(best, evidence_against_line(all, &fits, steps, onset));
	return best > 0;
}

bool
steps_fit_as_seasonal(const struct stretch *all, const struct stretch *calm, double noise)
{
	static struct fits fits;

	sum_up(calm, calm->floors, &fits);
	double left = squares_off_line(calm, &fits, 0, fits.count);
	sum_up(all, all->floors, &fits);
	find_steps(&fits);
	for (int steps = 1; steps <= STEPS_MOST; steps++) {
		double of_noise = all_noise * noise * ((double)fits.count - (2 * steps + 1));
		if (fits.left[steps][fits.count] <= fmax(left, of_noise))
			return true;
	}
	return false;
}
