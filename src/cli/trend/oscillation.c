// SPDX-License-Identifier: BSD-2-Clause
// The range is from the lowest floor to the highest peak. Falls are counted from a peak to a floor.

#include <math.h>

#include "base/assert.h"
#include "trend/kendall.h"
#include "trend/oscillation.h"
#include "trend/shape.h"
#include "trend/verdict.h"

// A tooth of at most this many snapshots may seem to rise by where the snapshots fall.
static const double few_snapshots = 3;

static double
lowest(const struct trend_point *points, size_t count)
{
	double low = points[0].floor;
	for (size_t i = 1; i < count; i++)
		low = points[i].floor < low ? points[i].floor : low;
	return low;
}

double
oscillation_range(const struct trend_point *points, size_t count)
{
	double high = points[0].peak;
	for (size_t i = 1; i < count; i++)
		high = points[i].peak > high ? points[i].peak : high;
	return high - lowest(points, count);
}

// It is not known whether a window's floor or its peak came first. The order that makes fewer falls
// is assumed.
unsigned
oscillation_count(const struct trend_point *points, size_t count, double much)
{
	unsigned falls = 0;
	double low = points[0].floor, high = points[0].peak;
	bool was_up = low - lowest(points, count) >= much;

	for (size_t i = 0; i < count; i++) {
		high = points[i].peak > high ? points[i].peak : high;
		low = points[i].floor < low ? points[i].floor : low;
		if (was_up && high - points[i].floor >= much) {
			falls++;
			was_up = false;
			low = points[i].floor;
		} else if (!was_up && points[i].peak - low >= much) {
			was_up = true;
			high = points[i].peak;
		}
	}
	return falls;
}

// A rise is a tooth if at least half of it only makes up for a fall before the onset. A fall from
// values during start-up does not count. A rise of the later half that ends hardly above the
// earlier peaks is a tooth as well. The reason: in a process that is slowed down, a tooth may last
// as long as such a rise.
bool
oscillation_is_tooth(const struct trend_point *points, size_t count, size_t onset,
	double growth)
{
	double whole = points[count - 1].time - points[0].time;
	double before = points[onset].time - points[0].time;
	const struct trend_point *last = &points[count - 1];
	double high = -INFINITY, peak = -INFINITY;
	if (before <= SHARE_SOME * whole)
		return false;
	for (size_t i = 0; i < onset; i++) {
		if (points[i].time - points[0].time < TREND_START_UP * whole)
			continue;
		high = fmax(high, points[i].floor);
		peak = fmax(peak, points[i].peak);
	}
	if (before > SHARE_MOST * whole && last->peak - peak <= SHARE_HARDLY * growth)
		return true;
	return high >= (points[onset].floor + last->floor) / 2;
}

// Returns true if peaks rise and fall with the rate of allocations. If the rate is not known,
// returns true if both rises and falls are slow.
static bool
oscillates_with_load(const struct trend_point *points, size_t count)
{
	double loads[TREND_MAX], peaks[TREND_MAX], order[TREND_MAX];
	size_t ups = 0, downs = 0, turns = 0;

	for (size_t i = 0; i < count; i++) {
		loads[i] = points[i].load;
		peaks[i] = points[i].peak;
	}
	if (points[0].load >= 0)
		return kendall_correlation(loads, peaks, count) > 0.4;
	for (size_t i = 1; i < count; i++) {
		order[i] = (peaks[i] > peaks[i - 1]) - (peaks[i] < peaks[i - 1]);
		ups += order[i] > 0;
		downs += order[i] < 0;
		turns += i > 1 && order[i] * order[i - 1] < 0;
	}
	return ups < 2 * downs && downs < 2 * ups && turns * 4 < count;
}

// Returns true if the floor rises over several windows at a time, and falls at once. Teeth that are
// shorter than a window cannot be recognized. If memory is used only for a moment now and then, the
// floor rises within one window. This makes no teeth.
static bool
are_teeth(const struct trend_point *points, size_t count, double whole)
{
	double much = whole / 100;
	size_t ups = 0, downs = 0, rises = 0;
	bool is_rising = false;

	for (size_t i = 1; i < count; i++) {
		double step = points[i].floor - points[i - 1].floor;
		bool is_up = step > much, is_down = step < -much;
		ups += is_up;
		downs += is_down;
		rises += is_up && !is_rising;
		is_rising = is_up || (is_rising && !is_down);
	}
	return ups > 0 && ups >= 2 * downs && ups >= 2 * rises;
}

// Returns true if growth began so late that nobody knows how it goes on. The last floor must be
// above all peaks before the last quarter of the time. The distance must be more than
// a tenth of `whole`, the series' range.
static bool
is_at_its_end(const struct trend_point *points, size_t count, double whole)
{
	const struct trend_point *last = &points[count - 1];
	for (size_t i = 0; i < count; i++)
		if (points[i].time - points[0].time < (1 - SHARE_SOME) * (last->time - points[0].time)
			&& points[i].peak >= last->floor - whole / 10)
			return false;
	return true;
}

enum verdict
oscillation_verdict(const struct trend_point *points, size_t count, double least)
{
	const struct trend_point *last = &points[count - 1];
	double whole = oscillation_range(points, count);
	size_t first = 0;

	if (whole < least || whole <= 0)
		return VERDICT_FLAT;
	while (points[first].time - points[0].time < TREND_START_UP * (last->time - points[0].time))
		first++;
	double rest = oscillation_range(points + first, count - first);
	if (rest < whole / 5)
		return VERDICT_START_UP;
	unsigned falls = oscillation_count(points, count, rest / 2);
	if (falls >= OSCILLATION_TEETH && oscillates_with_load(points, count))
		return VERDICT_LOAD;
	if (falls >= OSCILLATION_TEETH)
		return are_teeth(points, count, whole) ? VERDICT_SAW_TOOTH : VERDICT_OSCILLATES;
	if (last->floor - points[0].floor >= whole / 2)
		return is_at_its_end(points, count, whole) ? VERDICT_SHORT : VERDICT_SETTLES;
	return falls > 0 ? VERDICT_LOAD : VERDICT_FLAT;
}

bool
oscillation_is_sampled_late(const struct trend_point *points, size_t count,
	const struct trend *trend)
{
	double changes[TREND_MAX], snapshots = 0;
	size_t found = 0;

	ASSERT(count <= TREND_MAX);
	for (size_t i = trend->onset + 1; i < count; i++) {
		changes[found++] = fabs(points[i].floor - points[i - 1].floor);
		snapshots += points[i].told;
	}
	if (found == 0 || snapshots > few_snapshots * (double)found)
		return false;
	return kendall_median(changes, found) >= trend->growth;
}
