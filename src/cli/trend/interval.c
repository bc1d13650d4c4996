// SPDX-License-Identifier: BSD-2-Clause
// Finds the slopes that a rise may have if its beginning is not known. For each possible beginning,
// the best line from this beginning on is fitted, with a level before it. A slope is in the
// interval unless all lines with this slope fit clearly worse than the best line of all. (Venzon
// and Moolgavkar, "A method for computing profile-likelihood-based confidence intervals", Applied
// Statistics 37 (1988).)

#include <math.h>

#include "trend/curve.h"
#include "trend/interval.h"
#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	FITTED = 2, // number of a line's parameters: a level and a slope
};

// Quantile of the chi-squared distribution with one degree of freedom, for an interval at 95%.
static const double enough = KENDALL_TWO_SIDED * KENDALL_TWO_SIDED;

// A line that rises from some point on, with a level before that point.
struct rise {
	double slope;
	// sum of the squared differences between the points' times and their mean. A time before
	// the rise counts as the time at which the rise begins
	double own;
	double left; // squared residuals of the floors. INFINITY if there is no line
};

// Sums over the points from some point to the last. Times are relative to the last point, floors to
// the mean of all floors.
struct sums {
	double count, t, tt, x, tx;
};

static void
add(struct sums *sums, double t, double x)
{
	sums->count++;
	sums->t += t;
	sums->tt += t * t;
	sums->x += x;
	sums->tx += t * x;
}

// Returns the line that begins at time t. `from` has the sums of the points from t on. `count` is
// the number of all points. `squares` is the sum of squared distances of all floors from their
// mean.
static struct rise
rise_from(const struct sums *from, double t, double count, double squares)
{
	double since = from->t - from->count * t;
	double own = from->tt - 2 * t * from->t + from->count * t * t - since * since / count;
	double common = from->tx - t * from->x;

	if (own <= 0)
		return (struct rise){.left = INFINITY};
	return (struct rise){common / own, own, fmax(squares - common * common / own, 0)};
}

// Sets off[] to the residuals of a line of this slope that begins at point `begin`, with a level
// before.
static void
measure(const struct stretch *stretch, size_t begin, double slope, double *off)
{
	double mean = 0;

	for (size_t i = 0; i < stretch->count; i++) {
		double t = fmax(stretch->times[i] - stretch->times[begin], 0);
		off[i] = stretch->floors[i] - slope * t;
		mean += off[i] / (double)stretch->count;
	}
	for (size_t i = 0; i < stretch->count; i++)
		off[i] -= mean;
}

// Returns the effective sample size: the number of independent points that have as much information
// as these autocorrelated ones.
static double
points_alone(const double *off, size_t count)
{
	double square = 0, product = 0;

	for (size_t i = 0; i < count; i++) {
		square += off[i] * off[i];
		product += i > 0 ? off[i] * off[i - 1] : 0;
	}
	double correlation = square > 0 ? fmin(fmax(product / square, 0), CURVE_CORRELATION_MOST) : 0;
	return (double)count * (1 - correlation) / (1 + correlation);
}

// Sets rises[i] to the best line that begins at point i. At least SHAPE_LEAST points must be left
// from point i on. Returns the index of the line that fits best.
static size_t
find_rises(const struct stretch *stretch, struct rise *rises)
{
	double count = (double)stretch->count, mean = 0, squares = 0;
	struct sums from = {0};
	size_t best = 0;

	for (size_t i = 0; i < stretch->count; i++)
		mean += stretch->floors[i] / count;
	for (size_t i = 0; i < stretch->count; i++)
		squares += (stretch->floors[i] - mean) * (stretch->floors[i] - mean);
	for (size_t i = stretch->count; i-- > 0;) {
		double t = stretch->times[i] - stretch->times[stretch->count - 1];
		add(&from, t, stretch->floors[i] - mean);
		if (i + SHAPE_LEAST > stretch->count)
			continue;
		rises[i] = rise_from(&from, t, count, squares);
		if (i + SHAPE_LEAST == stretch->count || rises[i].left <= rises[best].left)
			best = i;
	}
	return best;
}

static void
take_in_beginnings(const struct stretch *stretch, double *low, double *high)
{
	struct rise rises[KENDALL_MAX];
	double off[KENDALL_MAX];

	if (stretch->count <= SHAPE_LEAST)
		return;
	size_t best = find_rises(stretch, rises);
	measure(stretch, best, rises[best].slope, off);
	double alone = points_alone(off, stretch->count);
	double most = rises[best].left * exp(enough / fmax(alone - FITTED, FITTED));
	for (size_t i = 0; i + SHAPE_LEAST <= stretch->count; i++) {
		if (rises[i].own <= 0 || rises[i].left > most)
			continue;
		double reach = sqrt((most - rises[i].left) / rises[i].own);
		*low = fmin(*low, rises[i].slope - reach);
		*high = fmax(*high, rises[i].slope + reach);
	}
}

void
interval_widen(const struct stretch *stretch, double *low, double *high)
{
	double least = fmin(*low, 0);

	take_in_beginnings(stretch, low, high);
	// The stretch is known to rise. So the lines from other beginnings must not extend the interval
	// to below 0.
	*low = fmax(*low, least);
}
