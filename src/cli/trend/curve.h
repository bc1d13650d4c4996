// SPDX-License-Identifier: BSD-2-Clause
// curve: tests whether a curve that slows down fits better than a straight line.

#ifndef PMEM_CLI_CURVE_H
#define PMEM_CLI_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

struct curve {
	double evidence; // for the curve, against the line: Schwarz's criterion, twice the logarithm
	double against_two; // the same, against two lines
	double goes_on;  // slope at the end, divided by the mean slope
	bool leaves_noise; // residuals of neighbours correlate no more than by chance
	bool fills; // the curve's pace surely falls all the time, and two lines fit no better
};

// Returns the best curve of four families. They are a step; a line that becomes level; an
// exponential that nears a level; and a logarithm that only slows down. Autocorrelated residuals
// count as fewer points.
struct curve curve_that_slows(const struct stretch *stretch);

// Returns the sum of squared residuals of the best curve, or of the line if no curve is better.
double curve_misfit(const struct stretch *stretch);

// Returns the autocorrelation, 0 to 1, of the residuals of lines: one from each of these onsets to
// the next, and from onset number `last` to the end. A random walk shows all of it as a whole, and
// too little in a part.
double curve_autocorrelation(const struct trend_point *points, size_t count,
	const size_t *onsets, size_t last);

// Returns the evidence for a line and against a level, at that autocorrelation.
double curve_rises(const struct stretch *stretch, double correlation);

#endif
