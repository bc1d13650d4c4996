// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/expiry.h"
#include "trend/shape.h"

// An expiry frees at least this share of the floor.
static const double much = 0.1;
// If the floor falls at more than this share of the points, the falls may be noise. Then no fall
// counts as an expiry.
static const double seldom = 0.1;
// A cache may also leak. It leaks if the floor after the last expiry is higher than after the
// expiry before. The difference between these two floors must be more than this share of the rise
// between the two expiries.
static const double left_over = 0.125;

double
expiry_within(const struct trend_point *points, size_t count, double most_ms)
{
	size_t falls = 0, expiries = 0, last = 0;
	double longest = 0, before = 0;

	for (size_t i = 1; i < count; i++) {
		double top = points[i - 1].floor, fall = top - points[i].floor;
		falls += fall > 0;
		if (fall < much * top || fall <= 0)
			continue;
		// A fall right after an expiry belongs to that expiry.
		if (expiries == 0 || last + 1 < i) {
			longest = fmax(longest, points[i].clock - points[last].clock);
			before = points[last].floor + left_over * (top - points[last].floor);
			expiries++;
		}
		last = i;
	}
	if (expiries == 0 || (double)falls > seldom * (double)count)
		return 0;
	if (expiries > 1 && points[last].floor > before)
		return 0;
	return fmax(fmin(longest, most_ms) - (points[count - 1].clock - points[last].clock), 0);
}
