// The slopes that a rise may have whose beginning is not known: for each beginning the best line from
// there on, level before, and all slopes that do not fit clearly worse than the best of all (Venzon and
// Moolgavkar, "A method for computing profile-likelihood-based confidence intervals", Applied
// Statistics 37 (1988)).

#include <math.h>

#include "trend/trend.h"

enum {
	FITTED = 2, // a level, and the slope
	ABOUT = 6,  // where a rise began is known to a part of it so large, or nearly
};

// Of the chi-squared distribution with one degree of freedom, for an interval at 95%.
static const double enough = 3.841459;
static const double alike_most = 0.95;

struct rise {
	double slope;
	double own;  // squares of the times since it began, off their mean
	double left; // of the floors, squared
};

static double
since(const struct stretch *stretch, size_t begin, size_t i)
{
	return fmax(stretch->times[i] - stretch->times[begin], 0);
}

// off[]: what the floors lie off it.
static struct rise
rise_from(const struct stretch *stretch, size_t begin, double *off)
{
	double n = (double)stretch->count, mean_t = 0, mean = 0, tt = 0, tx = 0;
	struct rise rise = {.left = INFINITY};

	for (size_t i = 0; i < stretch->count; i++) {
		mean_t += since(stretch, begin, i) / n;
		mean += stretch->floors[i] / n;
	}
	for (size_t i = 0; i < stretch->count; i++) {
		double t = since(stretch, begin, i) - mean_t;
		tt += t * t;
		tx += t * (stretch->floors[i] - mean);
	}
	if (tt <= 0)
		return rise;
	rise = (struct rise){.slope = tx / tt, .own = tt};
	for (size_t i = 0; i < stretch->count; i++) {
		off[i] = stretch->floors[i] - mean - rise.slope * (since(stretch, begin, i) - mean_t);
		rise.left += off[i] * off[i];
	}
	return rise;
}

// So many points say as much as these, neighbours of which are alike.
static double
points_alone(const double *off, size_t count)
{
	double square = 0, product = 0;

	for (size_t i = 0; i < count; i++) {
		square += off[i] * off[i];
		product += i > 0 ? off[i] * off[i - 1] : 0;
	}
	double alike = square > 0 ? fmin(fmax(product / square, 0), alike_most) : 0;
	return (double)count * (1 - alike) / (1 + alike);
}

static void
take_in_beginnings(const struct stretch *stretch, double *low, double *high)
{
	struct rise rises[KENDALL_MAX];
	double off[KENDALL_MAX], least = INFINITY, alone = 0;
	size_t last = stretch->count > SHAPE_LEAST ? stretch->count - SHAPE_LEAST : 0;

	for (size_t i = 0; last > 0 && i <= last; i++) {
		rises[i] = rise_from(stretch, i, off);
		if (rises[i].left >= least)
			continue;
		least = rises[i].left;
		alone = points_alone(off, stretch->count);
	}
	double most = least * exp(enough / fmax(alone - FITTED, FITTED));
	for (size_t i = 0; last > 0 && i <= last; i++) {
		if (rises[i].left > most)
			continue;
		double reach = sqrt((most - rises[i].left) / rises[i].own);
		*low = fmin(*low, rises[i].slope - reach);
		*high = fmax(*high, rises[i].slope + reach);
	}
}

// It may have begun later than it seems to: then what came before is no part of it.
static void
take_in_later(const struct stretch *stretch, double *high)
{
	struct stretch later;
	size_t skip = stretch->count / ABOUT;

	if (stretch->count - skip < SHAPE_LEAST)
		return;
	stretch_open(&later, stretch->points + skip, stretch->count - skip);
	*high = fmax(*high, kendall_test(later.times, later.floors, later.count).slope_high);
}

void
interval_widen(const struct stretch *stretch, bool was_sought, double *low, double *high)
{
	double least = fmin(*low, 0);

	if (was_sought)
		take_in_later(stretch, high);
	take_in_beginnings(stretch, low, high);
	// That it rises is known.
	*low = fmax(*low, least);
}
