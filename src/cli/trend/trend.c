// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "judge/judge.h"
#include "trend/trend.h"

// The load (allocations per clock time) rises if chance alone makes this rise with a lower probability.
static const double load_rises = 0.01;
// Blocks turn over if at most this share of those allocated since the first point is left.
static const double long_lived = 0.2;

// Returns true if live bytes rise only because the load rises. The load is the rate of allocations. By
// Little's law, live bytes are the load times the blocks' mean lifetime. If live bytes rise no faster than
// the load, blocks do not live longer. So no block is leaked.
static bool
goes_with_load(const struct trend_point *points, size_t count)
{
	const struct trend_point *first = &points[0], *last = &points[count - 1];
	double times[TREND_MAX], loads[TREND_MAX], stays[TREND_MAX], allocs = last->allocs - first->allocs;

	if (allocs > 0 && last->blocks - first->blocks > long_lived * allocs)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (points[i].load <= 0)
			return false;
		times[i] = points[i].time - first->time;
		loads[i] = points[i].load;
		stays[i] = points[i].floor / loads[i];
	}
	return kendall_test(times, loads, count).p < load_rises
		&& kendall_test(times, stays, count).p > TREND_CHANCE;
}

// Returns what a series is that does not leak. What has mostly come at its end may yet go on.
static enum verdict
verdict_of_innocent(const struct trend_point *points, size_t count, double least)
{
	const struct trend_point *last = &points[count - 1];
	double low = INFINITY, high = -INFINITY, top = -INFINITY, fall = 0, before = -INFINITY;

	for (size_t i = 0; i < count; i++) {
		low = fmin(low, points[i].floor);
		high = fmax(high, points[i].floor);
		fall = fmax(fall, top - points[i].floor);
		top = fmax(top, points[i].peak);
		if (last->time - points[i].time > SHARE_HARDLY * (last->time - points[0].time))
			before = fmax(before, points[i].peak);
	}
	double range = high - low;
	if (top - low < least || top <= low)
		return VERDICT_FLAT;
	if (fall > SHARE_SOME * range || range <= 0)
		return VERDICT_UP_AND_DOWN;
	return before < low + range * SHARE_MOST ? VERDICT_SHORT : VERDICT_LEVELLED_OFF;
}

// Sets a leak's growth. Where a season was subtracted, the floors still have it. So they have a jump.
static void
measure(const struct trend_point *points, size_t count, bool is_seasonal, struct trend *trend)
{
	double times[TREND_MAX], floors[TREND_MAX], blocks[TREND_MAX];
	const struct trend_point *from = &points[trend->onset];

	count -= trend->onset;
	for (size_t i = 0; i < count; i++) {
		times[i] = from[i].time - from[0].time;
		floors[i] = from[i].floor;
		blocks[i] = from[i].blocks;
	}
	trend->growth = kendall_growth(times, floors, count);
	trend->growth_blocks = kendall_growth(times, blocks, count);
	if (!is_seasonal && trend->growth <= 2 * trend->slope * times[count - 1])
		return;
	double size = blocks[count - 1] > 0 ? floors[count - 1] / blocks[count - 1] : INFINITY;
	trend->growth = trend->slope * times[count - 1];
	trend->growth_blocks = trend->growth / size;
}

struct trend
trend_of(const struct judgement *judgement, const struct trend_point *points, size_t count)
{
	static const enum verdict words[] = {[JUDGE_NO_LEAK] = VERDICT_FLAT, [JUDGE_LEAKS] = VERDICT_LEAKS,
		[JUDGE_TOO_EARLY] = VERDICT_SHORT, [JUDGE_STOPPED] = VERDICT_LEVELLED_OFF,
		[JUDGE_SLOWS] = VERDICT_SLOWS};
	struct trend trend = {.verdict = words[judgement->verdict], .confidence = judgement->certainty,
		.onset = judgement->since, .seen = judgement->seen, .slope = judgement->rate,
		.slope_low = judgement->rate_low, .slope_high = judgement->rate_high};

	measure(points, count, judgement->is_seasonal, &trend);
	return trend;
}

struct trend
trend_judge(const struct trend_point *points, size_t count, double least)
{
	ASSERT(count <= TREND_MAX);
	if (count < TREND_LEAST)
		return (struct trend){.verdict = VERDICT_SHORT};
	struct judgement judgement = judge_series(points, count, least);
	struct trend trend = trend_of(&judgement, points, count);
	bool is_over = points[count - 1].floor <= points[count / 2].floor + SHARE_HARDLY * trend.growth;
	if (trend.verdict == VERDICT_FLAT || (trend.verdict == VERDICT_SLOWS && is_over)
			|| (trend.verdict == VERDICT_LEAKS && trend.growth < least))
		trend.verdict = verdict_of_innocent(points, count, least);
	if (trend.verdict == VERDICT_LEAKS && goes_with_load(points + trend.seen, count - trend.seen))
		trend.verdict = VERDICT_UP_AND_DOWN;
	return trend;
}
