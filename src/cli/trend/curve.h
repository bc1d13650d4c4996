// SPDX-License-Identifier: BSD-2-Clause
// curve: tests whether a curve that slows down fits a rise better than a straight line does.

#ifndef PMEM_CLI_CURVE_H
#define PMEM_CLI_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

// A perfect fit leaves no residuals, and the logarithm of 0 is infinite. So the squared residuals of a
// fit count as at least this share of the squared distances from the mean.
#define CURVE_NOTHING 1e-9

struct curve {
	// evidence (verdict.h) for the curve and against a line, by Schwarz's criterion
	double evidence;
	double against_two; // like `evidence`, but compares with two lines that need not meet
	double goes_on;  // the curve's slope at its end, divided by its mean slope
	bool leaves_noise; // true if residuals of neighbouring points correlate no more than by chance
};

// Fits curves of three families to the floors (least live bytes of each window). Describes the curve
// that fits best. The families are: a line that becomes level; an exponential that nears a level; a
// logarithm, which slows down but never becomes level. If residuals are autocorrelated, the points
// count as fewer independent ones.
struct curve curve_that_slows(const struct stretch *stretch);

// Returns the sum of squared residuals of the best curve, or of the line if no curve is better.
double curve_misfit(const struct stretch *stretch);

// Returns the autocorrelation of residuals, 0 to 1. The series is cut into parts, and each part has
// a line of its own. onsets[0..last] are the parts' first points. All parts are used, since a
// single part shows too little of a random walk's autocorrelation.
double curve_autocorrelation(const struct trend_point *points, size_t count,
	const size_t *onsets, size_t last);

// Returns the evidence (verdict.h) for a line that rises, against a level. `correlation` is the
// autocorrelation of the residuals (curve_autocorrelation()).
double curve_rises(const struct stretch *stretch, double correlation);

#endif
