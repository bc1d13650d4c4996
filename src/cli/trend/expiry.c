// SPDX-License-Identifier: BSD-2-Clause
// Expiring entries are kept for a while, then many are freed at once. A cache that looks for old
// entries now and then does so. Until the next time it grows as a leak does.

#include <math.h>

#include "trend/expiry.h"
#include "trend/shape.h"

// An expiry frees at least this share of live.
static const double much = 0.1;
// Between expiries at most this share of the points fall: so few that this is no noise.
static const double seldom = 0.1;
// The floor after the expiries grows by more than this share of the height between: it leaks.
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
		// The expiry may continue in the next point.
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
