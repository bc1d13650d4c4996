// SPDX-License-Identifier: BSD-2-Clause
// Each curve is a straight line over a transformed time, called bent time. For a given parameter of
// the transformation, the curve is fitted by a linear regression on bent time.

#include <math.h>

#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// Number of a curve's parameters: a level, a slope and the parameter of its bent time. So a curve
// can be made to pass exactly through this many points.
enum { FITTED = 3 };

// If the residuals' autocorrelation is above `wanders`, a curve and a line are also fitted to
// increments. An increment is nearly the change from one value to the next (squares_off_anew()).
// While a store is filled with keys in random order, its values wander about the curve. So its
// values are not independent, but its increments are. A higher autocorrelation than wanders_most would
// leave no information.
static const double wanders = 0.7;
static const double wanders_most = 0.95;
// If noise is white, its autocorrelation is hardly ever above by_chance / sqrt(count).
static const double by_chance = 2;

// Values, and their distances from their mean.
struct centered {
	size_t count;
	double mean, squares; // `squares` is the sum of the squares of off[]
	double off[KENDALL_MAX];
};

static void
center(struct centered *centered, const double *values, size_t count)
{
	centered->count = count;
	centered->mean = centered->squares = 0;
	for (size_t i = 0; i < count; i++)
		centered->mean += values[i];
	centered->mean /= (double)count;
	for (size_t i = 0; i < count; i++) {
		centered->off[i] = values[i] - centered->mean;
		centered->squares += centered->off[i] * centered->off[i];
	}
}

// A line over x: mean + slope * (x - mean_x).
struct line {
	double mean_x, slope;
	double off_line; // sum of the squared residuals
};

static struct line
best_line(const double *x, const struct centered *values)
{
	struct line line = {0};
	double xx = 0, xy = 0;

	for (size_t i = 0; i < values->count; i++)
		line.mean_x += x[i];
	line.mean_x /= (double)values->count;
	for (size_t i = 0; i < values->count; i++) {
		double off_x = x[i] - line.mean_x;
		xx += off_x * off_x;
		xy += off_x * values->off[i];
	}
	line.slope = xx > 0 ? xy / xx : 0;
	line.off_line = values->squares - line.slope * xy;
	return line;
}

// Returns the sum of the squared residuals of the best line over x. If that line does not rise, the
// mean is taken instead of it.
static double
squares_off(const double *x, const struct centered *values)
{
	struct line line = best_line(x, values);
	return line.slope > 0 ? fmax(line.off_line, values->squares * CURVE_NOTHING) : values->squares;
}

// Returns how neighbouring residuals of the best line over x correlate.
static double
correlation_of_neighbours(const double *x, const double *values, size_t count)
{
	struct centered centered;
	center(&centered, values, count);
	struct line line = best_line(x, &centered);
	double square = 0, product = 0, before = 0;

	for (size_t i = 0; i < count; i++) {
		double off = centered.off[i] - line.slope * (x[i] - line.mean_x);
		square += off * off;
		product += i > 0 ? off * before : 0;
		before = off;
	}
	return square > 0 ? product / square : 0;
}

// Returns the squared residuals of the best line over x, fitted to increments. An increment is a
// value less `correlation` times the value before it, so the increments' residuals are independent.
// x and the constant term of the line are changed in the same way. (Prais and Winsten, "Trend
// estimators and serial correlation", Cowles Commission Discussion Paper 383 (1954).)
static double
squares_off_anew(const double *x, const double *values, size_t count, double correlation)
{
	double ll = 0, lx = 0, lv = 0, xx = 0, xv = 0, vv = 0;

	for (size_t i = 0; i < count; i++) {
		double first = sqrt(1 - correlation * correlation);
		double level = i == 0 ? first : 1 - correlation;
		double time = i == 0 ? first * x[0] : x[i] - correlation * x[i - 1];
		double value = i == 0 ? first * values[0] : values[i] - correlation * values[i - 1];
		ll += level * level;
		lx += level * time;
		lv += level * value;
		xx += time * time;
		xv += time * value;
		vv += value * value;
	}
	double off_level = vv - lv * lv / ll;
	double own = xx - lx * lx / ll, with = xv - lx * lv / ll;
	double left = own > 0 && with > 0 ? off_level - with * with / own : off_level;
	return fmax(left, off_level * CURVE_NOTHING);
}

enum family { LEVEL, EXPONENTIAL, LOGARITHM, FAMILIES };

// Many parameters are tried for each family. Returns parameter number `number` of them, as a share
// of the stretch's time. For LEVEL, the curve becomes level at this time. For EXPONENTIAL, the
// parameter is the time constant. For LOGARITHM, the parameter is a first part of the time. In
// this part, the curve grows as much as in the following time of twice that length.
static double
parameter(enum family family, unsigned number)
{
	switch (family) {
	case LEVEL: return 0.05 + 0.025 * number;
	case EXPONENTIAL: return 0.04 * pow(1.2, number);
	default: return 0.001 * pow(1.6, number);
	}
}

static const double parameter_most[FAMILIES] = {0.9, 1, 0.3};

// Returns the bent time at time t. t and the parameter are shares of the stretch's time.
static double
bent(enum family family, double parameter, double t)
{
	switch (family) {
	case LEVEL: return fmin(t, parameter);
	case EXPONENTIAL: return 1 - exp(-t / parameter);
	default: return log(1 + t / parameter);
	}
}

// Returns the curve's slope at the end, divided by its mean slope.
static double
end_share(enum family family, double parameter)
{
	switch (family) {
	case LEVEL: return 0;
	case EXPONENTIAL: return exp(-1 / parameter) / parameter / (1 - exp(-1 / parameter));
	default: return 1 / (1 + parameter) / log(1 + 1 / parameter);
	}
}

static void
bend_times(const struct stretch *stretch, enum family family, double parameter, double *x)
{
	double whole = stretch->times[stretch->count - 1];
	for (size_t i = 0; i < stretch->count; i++)
		x[i] = bent(family, parameter, stretch->times[i] / whole);
}

// Each line is fitted to its values, so the autocorrelation of the residuals comes out too low.
// This bias is corrected. For white noise it is 2 / count (Marriott and Pope, Biometrika 41
// (1954)). For a random walk it is 8 / count (Andrews, "Exactly median-unbiased estimation of ...
// unit root models", Econometrica 61 (1993)).
double
curve_autocorrelation(const struct trend_point *points, size_t count,
	const size_t *onsets, size_t last)
{
	double sum = 0, lines = (double)last + 1;
	for (size_t i = 0; i <= last; i++) {
		struct stretch part;
		size_t end = i < last ? onsets[i + 1] : count;
		stretch_open(&part, points + onsets[i], end - onsets[i]);
		sum += (double)part.count
			* correlation_of_neighbours(part.times, part.floors, part.count);
	}
	return fmin(fmax((sum + 2 * lines) / fmax((double)count - 6 * lines, 1), 0), 1);
}

// Returns the number of independent values that have as much information as the autocorrelated floors
// of the stretch.
static double
new_values(const struct stretch *stretch, double correlation)
{
	return (double)stretch->count * (1 - correlation) / (1 + correlation);
}

double
curve_rises(const struct stretch *stretch, double correlation)
{
	struct centered floors;
	double n = new_values(stretch, correlation);
	center(&floors, stretch->floors, stretch->count);
	double line = squares_off(stretch->times, &floors);
	double level = floors.squares;
	return level > 0 ? n * log(level / line) - log(fmax(n, 1)) : 0;
}

// The curve that fits best. If none is better than the line, `left` is `line`, and `family` is FAMILIES.
struct fit {
	enum family family;
	double parameter;
	double left, line; // squared residuals of the curve, and of the line
};

static struct fit
best_curve(const struct stretch *stretch)
{
	struct centered floors;
	double x[KENDALL_MAX];
	center(&floors, stretch->floors, stretch->count);
	struct fit best = {.family = FAMILIES, .line = squares_off(stretch->times, &floors)};

	best.left = best.line;
	for (enum family family = 0; family < FAMILIES; family++) {
		for (unsigned number = 0;; number++) {
			double with = parameter(family, number);
			if (with > parameter_most[family])
				break;
			bend_times(stretch, family, with, x);
			double left = squares_off(x, &floors);
			if (left < best.left)
				best = (struct fit){family, with, left, best.line};
		}
	}
	return best;
}

double
curve_misfit(const struct stretch *stretch)
{
	return best_curve(stretch).left;
}

// Returns the evidence for a curve that is fitted to increments: against one line, or against two lines
// if that is less. The second line begins at point `at`.
static double
evidence_anew(const struct stretch *stretch, const double *x, double correlation, size_t at)
{
	size_t count = stretch->count;
	double t[KENDALL_MAX], n = (double)count;

	for (size_t i = 0; i < count; i++)
		t[i] = stretch->times[i] / stretch_duration(stretch);
	double line = squares_off_anew(t, stretch->floors, count, correlation);
	double best = squares_off_anew(x, stretch->floors, count, correlation);
	double two = at == 0 ? line : squares_off_anew(t, stretch->floors, at, correlation)
		+ squares_off_anew(t + at, stretch->floors + at, count - at, correlation);
	if (best <= 0 || line <= 0 || two <= 0)
		return 0;
	return fmin((n - FITTED) * log(line / best) - log(n), n * log(two / best) + 2 * log(n));
}

struct curve
curve_that_slows(const struct stretch *stretch)
{
	struct fit best = best_curve(stretch);
	struct line_sums sums[KENDALL_MAX + 1];
	size_t count = stretch->count, at;
	double x[KENDALL_MAX];

	if (best.family == FAMILIES)
		return (struct curve){.goes_on = 1};
	bend_times(stretch, best.family, best.parameter, x);
	double correlation = fmax(correlation_of_neighbours(x, stretch->floors, count), 0);
	double n = new_values(stretch, correlation);
	shape_sum_up(stretch, sums);
	double two = fmax(shape_two_lines(sums, count, FITTED, &at), best.left * CURVE_NOTHING);
	struct curve curve = {
		.evidence = fmax(n - FITTED, 0) * log(best.line / best.left) - log(fmax(n, 1)),
		.against_two = n * log(two / best.left) + 2 * log(fmax(n, 1)),
		.goes_on = end_share(best.family, best.parameter),
		.leaves_noise = correlation <= by_chance / sqrt((double)count),
	};
	if (correlation > wanders)
		curve.evidence = fmax(curve.evidence,
			evidence_anew(stretch, x, fmin(correlation, wanders_most), at));
	return curve;
}
