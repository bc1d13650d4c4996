// SPDX-License-Identifier: BSD-2-Clause

#include "base/assert.h"
#include "trend/changepoint.h"
#include "trend/kendall.h"

// A rise that begins near the series' end may be a load that grows once and stays level. The time of two
// windows is left out, too: such a rise may have begun there.
size_t
changepoint_find_all(const struct trend_point *points, size_t count, size_t *onsets)
{
	ASSERT(count >= TREND_LEAST && count <= TREND_MAX);
	double whole = points[count - 1].time - points[0].time;
	double last = points[0].time + (1 - SHARE_HARDLY - 2 / (double)count) * whole;
	size_t found = 1;
	onsets[0] = 0;
	while (found < CHANGEPOINTS_MAX && count - onsets[found - 1] >= TREND_LEAST) {
		struct stretch stretch;
		size_t from = onsets[found - 1];
		stretch_open(&stretch, points + from, count - from);
		size_t next = stretch_duration(&stretch) > 0 ? shape_break(&stretch) : 0;
		if (next == 0 || points[from + next].time > last)
			break;
		onsets[found++] = from + next;
	}
	return found;
}

// Returns the median slope from one point to a later one, by work or by the clock. A fill at first is no
// growth of all that time.
static double
slope_of(const struct trend_point *from, const struct trend_point *to, bool by_clock)
{
	double times[TREND_MAX], floors[TREND_MAX];
	size_t count = 0;

	for (const struct trend_point *point = from; point <= to; point++) {
		times[count] = by_clock ? point->clock : point->time;
		floors[count++] = point->floor;
	}
	return kendall_slope(times, floors, count);
}

bool
changepoint_is_after_quiet(const struct trend_point *points, size_t count, size_t before,
	size_t onset)
{
	const struct trend_point *from = &points[before], *to = &points[onset], *last = &points[count - 1];

	return slope_of(from, to, false) < SHARE_HARDLY * slope_of(to, last, false)
		&& slope_of(from, to, true) < SHARE_HARDLY * slope_of(to, last, true);
}

bool
changepoint_is_better(const struct trend_point *points, size_t count,
	const struct trend *later, const struct trend *earlier)
{
	const struct trend_point *from = &points[earlier->onset];
	const struct trend_point *to = &points[later->onset];
	const struct trend_point *last = &points[count - 1];

	if (!verdict_is_leak(earlier->verdict))
		return true;
	double before = slope_of(from, to, false);
	bool is_slow = before < later->slope / 2, is_fast = before > later->slope * 2;
	if (to->clock <= from->clock || last->clock <= to->clock)
		return is_slow || is_fast;
	double rate = slope_of(from, to, true), rate_later = later->growth / (last->clock - to->clock);
	return (is_slow && rate < rate_later / 2) || (is_fast && rate > rate_later * 2);
}
