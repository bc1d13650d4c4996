// SPDX-License-Identifier: BSD-2-Clause
// curve: does a curve that slows down fit better than a straight line?

#ifndef PMEM_CLI_CURVE_H
#define PMEM_CLI_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#include "trend/shape.h"

struct curve {
	double evidence; // for it and against the line: Schwarz's criterion, twice the logarithm
	double against_two; // the same against two lines
	double goes_on;  // its slope at the end, by that of the whole
	bool leaves_noise; // what neighbours lie off it is no more correlated than by chance
	bool fills; // its pace is ever less, beyond doubt, and two lines are not worth a mention
};

// The best of four: a step, a line that becomes level, one that nears a level (exponential), one
// that never does but is ever slower (logarithm). Where what points lie off it is
// autocorrelated, there is less to go by than there are points.
struct curve curve_that_slows(const struct stretch *stretch);

// What the floors lie off the best of these, or off a line where none is better, squared.
double curve_misfit(const struct stretch *stretch);

// The autocorrelation, 0 to 1, of what points lie off a line from each of these beginnings to the
// next, and from that of number `last` to the end. What wanders has all of it as a whole, and seems
// not to in a part.
double curve_autocorrelation(const struct trend_point *points, size_t count,
	const size_t *onsets, size_t last);

// Evidence for a line, and against a level, at that autocorrelation.
double curve_rises(const struct stretch *stretch, double correlation);

#endif
