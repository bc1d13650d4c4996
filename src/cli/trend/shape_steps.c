// SPDX-License-Identifier: BSD-2-Clause
// Questions about series whose floors are level for most of the time, and rise at few points.

#include <math.h>

#include "base/assert.h"
#include "trend/kendall.h"
#include "trend/shape.h"

enum {
	STEPS_LEAST = 3, // fewer steps than this may be chance
	RISES_LEAST = SHAPE_LEAST - 1, // fewest rises that count as a trend
	EVEN_LEAST = 4,  // like RISES_LEAST, if the rises come evenly (see `even`)
};

// Sets *level to the number of floors that are about equal to the floor before. Sets *steps to the
// number of steps: a step is one or more neighbouring rises, each faster than a line from the first
// point to the last.
static void
count_steps(const struct stretch *stretch, size_t *level, size_t *steps)
{
	double rise = stretch->floors[stretch->count - 1] - stretch->floors[0];
	double rate = rise / stretch_duration(stretch);
	bool was_up = false;

	*level = *steps = 0;
	for (size_t i = 1; i < stretch->count; i++) {
		double change = stretch->floors[i] - stretch->floors[i - 1];
		double usual = rate * (stretch->times[i] - stretch->times[i - 1]);
		bool is_up = change > usual;
		*level += change <= usual / 4 && change >= -usual / 4;
		*steps += is_up && !was_up;
		was_up = is_up;
	}
}

bool
shape_is_in_steps(const struct stretch *stretch)
{
	size_t level, steps;
	count_steps(stretch, &level, &steps);
	return level * 10 >= stretch->count * 6;
}

bool
shape_steps_have_ended(const struct stretch *stretch)
{
	size_t level, steps;
	double most = stretch->floors[0], since = 0, longest = 0;

	count_steps(stretch, &level, &steps);
	for (size_t i = 1; i < stretch->count; i++) {
		if (stretch->floors[i] <= most)
			continue;
		most = stretch->floors[i];
		if (stretch->times[i] - since > longest)
			longest = stretch->times[i] - since;
		since = stretch->times[i];
	}
	return steps < STEPS_LEAST || stretch_duration(stretch) - since > 2 * longest;
}

// Returns true if rises come evenly, by the clock or by work. A rise has a rate: its height divided by
// the time since the rise before. The lowest of these rates must be most of the highest. Then each rise
// is about in proportion to the time since the rise before. Steps of equal height after equal times
// come evenly. The steps of a table that doubles come evenly, too.
static bool
comes_evenly(const struct stretch *stretch)
{
	const struct trend_point *points = stretch->points, *last = NULL;
	double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};

	for (size_t i = 1; i < stretch->count; i++) {
		double rise = points[i].floor - points[i - 1].floor;
		if (rise <= 0)
			continue;
		double waits[2] = {last ? points[i].time - last->time : 0,
			last ? points[i].clock - last->clock : 0};
		for (int k = 0; last && k < 2; k++) {
			least[k] = fmin(least[k], rise / waits[k]);
			most[k] = fmax(most[k], rise / waits[k]);
		}
		last = &points[i];
	}
	return least[0] >= SHARE_MOST * most[0] || least[1] >= SHARE_MOST * most[1];
}

// A record is a value that is higher than all values before it. Returns the probability that at
// least `records` of `count` values are records. The first value does not count. All orders of the
// values are taken as equally probable. So value number i is a record with probability 1 / i.
// (Foster and Stuart, "Distribution-free tests in time-series based on the breaking of records",
// JRSS B 16 (1954).)
static double
chance_of_records(size_t records, size_t count)
{
	double chance[KENDALL_MAX + 1] = {1}; // chance[k] is the chance of exactly k records
	double fewer = 0;

	ASSERT(records <= count && count <= KENDALL_MAX);
	for (size_t i = 2; i <= count; i++)
		for (size_t k = i; k-- > 0;)
			chance[k] += ((k > 0 ? chance[k - 1] : 0) - chance[k]) / (double)i;
	for (size_t k = 0; k < records; k++)
		fewer += chance[k];
	return 1 - fewer;
}

bool
shape_rises_seldom(const struct stretch *stretch)
{
	size_t rises = 0;

	for (size_t i = 1; i < stretch->count; i++)
		rises += stretch->floors[i] > stretch->floors[i - 1];
	if (rises < EVEN_LEAST)
		return true;
	bool may_be_records = rises < RISES_LEAST
		|| chance_of_records(rises, stretch->count) > TREND_CHANCE;
	return may_be_records && !comes_evenly(stretch);
}
