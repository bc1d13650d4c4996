// SPDX-License-Identifier: BSD-2-Clause
// What expires is kept for a while, and then much of it is let go of at once, as by a cache that
// looks for what is old now and then. Until the next time it grows as a leak does.

#include <math.h>

#include "trend/expiry.h"
#include "trend/shape.h"

// An expiry lets go of so much of what there was.
static const double much = 0.1;
// Between expiries it hardly ever falls: so seldom that this is no noise.
static const double seldom = 0.1;
// What is left after each of them has grown by more than this share of what there was between: it
// leaks.
static const double left_over = 0.125;

bool
expiry_goes_on(const struct trend_point *points, size_t count, double most_ms)
{
	size_t falls = 0, expiries = 0, last = 0;
	double longest = 0, before = 0;

	for (size_t i = 1; i < count; i++) {
		double top = points[i - 1].floor, fall = top - points[i].floor;
		falls += fall > 0;
		if (fall < much * top || fall <= 0)
			continue;
		// It may have gone on into the next point.
		if (expiries == 0 || last + 1 < i) {
			longest = fmax(longest, points[i].clock - points[last].clock);
			before = points[last].floor + left_over * (top - points[last].floor);
			expiries++;
		}
		last = i;
	}
	if (expiries == 0 || (double)falls > seldom * (double)count)
		return false;
	if (expiries > 1 && points[last].floor > before)
		return false;
	return points[count - 1].clock - points[last].clock < fmin(longest, most_ms);
}
