// SPDX-License-Identifier: BSD-2-Clause
// Three questions are asked, in this order. Does the floor rise by more than chance explains? If
// yes, may the rise be something else than a leak (rise_test.c, oscillation_is_tooth())? If no,
// what is the series instead (oscillation.c)?

#include <math.h>

#include "base/assert.h"
#include "trend/changepoint.h"
#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/oscillation.h"
#include "trend/rise_test.h"
#include "trend/seasonal.h"
#include "trend/shape.h"
#include "trend/steps.h"
#include "trend/trend.h"
#include "trend/verdict.h"

enum {
	SEASONS = 2, // a series with this many falls may have a wave (seasonal.h)
	COARSE = 4,  // this many windows are joined to one
};

// Snapshots thin out if the first half of the windows has more than this many times the second half's
// number of snapshots.
static const double more = 1.25;
// A rise must have this evidence (verdict.h) for a line that rises, against a level: of_walk +
// of_short_walk / windows, of which long_walk count at most. 5 of 100 random walks have more evidence.
static const double of_walk = 3.4;
static const double of_short_walk = 80;
static const double long_walk = 64;
// This, divided by the square of the number of snapshots in a window, is added to the required
// evidence. The fewer snapshots a window has, the more its floor goes up and down with a random
// walk.
static const double of_few = 3;

// Returns true if the later half of the windows has clearly fewer snapshots than the earlier half.
static bool
thins_out(const struct trend_point *points, size_t count)
{
	double early = 0, late = 0;

	for (size_t i = 0; i < count / 2; i++) {
		early += points[i].told;
		late += points[count - 1 - i].told;
	}
	return early > more * late;
}

// Looks for a bend in a leak that seems to begin at the first point. If the floors hardly rose at first, a
// line through all points has neither the slope before the bend nor the slope after it. By Schwarz's
// criterion, each parameter needs evidence of log(n). The bend and its place are two. With evidence for one,
// a bend is possible: the slope's interval is extended. With evidence for both, growth began at the bend if
// the time before it was quiet.
static void
find_beginning(const struct trend_point *points, size_t count, double correlation, struct trend *trend)
{
	struct stretch all, behind;
	double evidence, parameter = log((double)count);

	stretch_open(&all, points, count);
	size_t bend = shape_bend(&all, &evidence);
	evidence *= (1 - correlation) / (1 + correlation);
	if (bend == 0 || evidence <= parameter)
		return;
	stretch_open(&behind, points + bend, count - bend);
	struct kendall kendall = kendall_test(behind.times, behind.floors, behind.count);
	trend->slope_high = fmax(trend->slope_high, kendall.slope_high);
	if (evidence <= 2 * parameter || !changepoint_is_after_quiet(points, count, 0, bend))
		return;
	trend->onset = bend;
	rise_test_measure(&behind, &kendall, trend);
}

// What is judged as floors.
enum values {
	MEASURED, // floors, also of several windows, or means where these must leak as well
	MEANS,    // means alone
	CALM,     // floors without a wave
};

// Tries several onsets, and returns the best leak. If no leak is found, returns a verdict that says
// why. Growth below `least` bytes does not count.
static struct trend
judge(const struct trend_point *points, size_t count, double least, enum values values)
{
	struct trend best = {.verdict = VERDICT_SHORT};
	if (count < TREND_LEAST)
		return best;

	struct stretch all;
	double enough = of_walk + of_short_walk / fmin((double)count, long_walk)
		+ of_few / pow(fmax(points[count / 2].told, 1), 2);
	size_t onsets[CHANGEPOINTS_MAX], found = changepoint_find_all(points, count, onsets);
	enum verdict innocent = VERDICT_FLAT;
	bool slows = false;
	for (size_t i = 0; i < found; i++) {
		struct trend trend;
		struct rise_candidate candidate = {.by_signs = values == MEASURED,
			.enough = values == MEASURED ? enough : TREND_NO_ACCIDENT,
			.is_whole = i == 0 && values != CALM && !thins_out(points, count)};
		stretch_open(&candidate.stretch, points + onsets[i], count - onsets[i]);
		if (stretch_duration(&candidate.stretch) <= 0)
			break;
		// A rise after a quiet time is judged without what came before that time.
		bool is_anew = i > 0 && changepoint_is_after_quiet(points, count, onsets[i - 1], onsets[i]);
		size_t from = is_anew ? onsets[i - 1] : 0;
		if (stretch_range(&candidate.stretch) < least || (slows && !is_anew))
			continue;
		stretch_open(&all, points + from, count - from);
		candidate.curve = curve_that_slows(&candidate.stretch);
		// A curve that slows down fits from this onset on. A rise from a later onset would only be a
		// part of the same curve, unless a quiet time is before it.
		if (rise_test_slows(&candidate) && candidate.curve.against_two > -TREND_STRONG
				&& !shape_is_in_steps(&candidate.stretch)) {
			innocent = rise_test_verdict(&candidate.curve);
			slows = true;
			continue;
		}
		// A searched onset (i > 0) is two parameters more by Schwarz's criterion.
		double correlation = curve_autocorrelation(points, count, onsets, i);
		candidate.evidence = curve_rises(&candidate.stretch, correlation)
			- (i > 0 ? 2 * log((double)count) : 0);
		if (!rise_test(&all, &candidate, found, &trend) || trend.growth < least)
			continue;
		trend.onset += from;
		if (!verdict_is_leak(trend.verdict))
			innocent = trend.verdict;
		else if (!oscillation_is_tooth(points, count, onsets[i], trend.growth)
			&& changepoint_is_better(points, count, &trend, &best))
			best = trend;
	}
	if (verdict_is_leak(best.verdict)) {
		if (best.onset == 0)
			find_beginning(points, count, curve_autocorrelation(points, count, onsets, 0), &best);
		return best;
	}
	best.verdict = oscillation_verdict(points, count, least);
	// Growth that was freed again shows better in the whole series than in the rise from one onset.
	bool came_back = best.verdict == VERDICT_START_UP || best.verdict == VERDICT_LOAD;
	if (innocent != VERDICT_FLAT && !came_back)
		best.verdict = innocent;
	return best;
}

// Returns the index of the first point at or after that time.
static size_t
onset_at(const struct trend_point *points, size_t count, double time)
{
	size_t onset = 0;

	while (onset < count && points[onset].time < time)
		onset++;
	ASSERT(onset < count);
	return onset;
}

static bool
may_be_seasonal(const struct trend_point *points, size_t count)
{
	return oscillation_count(points, count, oscillation_range(points, count) / 4) >= SEASONS;
}

// Judges the series without its wave (seasonal.h). With the wave, quiet times would be compared
// with busy ones. Returns VERDICT_FLAT if there is no wave, or if a few steps fit as well.
static struct trend
judge_without_season(const struct trend_point *points, size_t count, double least)
{
	struct trend_point calm[TREND_MAX];
	struct trend none = {.verdict = VERDICT_FLAT};
	struct stretch all, beneath;
	double error;

	size_t left = seasonal_remove(points, count, calm, &error);
	stretch_open(&all, points, count);
	stretch_open(&beneath, calm, left);
	if (left == 0 || steps_fit_as_seasonal(&all, &beneath))
		return none;
	struct trend trend = judge(calm, left, least, CALM);
	trend.slope_low -= error;
	trend.slope_high += error;
	// calm[] lacks the points at the wave's edges. If growth begins with the first point of
	// calm[], the onset stays 0: earlier points were only left out.
	if (trend.onset > 0)
		trend.onset = onset_at(points, count, calm[trend.onset].time);
	return trend;
}

// Copies the points, but with the mean of the window's snapshots as the floor.
static void
take_means(const struct trend_point *points, size_t count, struct trend_point *means)
{
	for (size_t i = 0; i < count; i++) {
		means[i] = points[i];
		means[i].floor = points[i].mean;
	}
}

// Joins each COARSE neighbouring windows to one. Returns the number of new windows.
static size_t
join_windows(const struct trend_point *points, size_t count, struct trend_point *coarse)
{
	for (size_t i = 0; i < count; i++) {
		struct trend_point *to = &coarse[i / COARSE];
		bool is_first = i % COARSE == 0;
		double peak = !is_first && to->peak > points[i].peak ? to->peak : points[i].peak;
		if (is_first || points[i].floor < to->floor)
			*to = points[i];
		to->peak = peak;
	}
	return (count + COARSE - 1) / COARSE;
}

// For a rise that was found in another series, from the same onset on: returns true if these floors
// rise, too, at least half as fast. Sets *kendall.
static bool
rises_here(const struct stretch *floors, const struct trend *trend, struct kendall *kendall)
{
	*kendall = kendall_test(floors->times, floors->floors, floors->count);
	return kendall->p <= TREND_CHANCE && kendall->slope >= trend->slope / 2;
}

// The minimum of few snapshots is mostly higher than the minimum of many. So floors rise even
// without a leak if later windows have fewer snapshots. Means do not. If later windows have fewer
// snapshots, returns false unless the means rise, too. If they do, the slope's interval is extended
// down to the lower end of the means' interval.
static bool
means_rise(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct trend_point means[TREND_MAX];
	struct stretch stretch;
	struct kendall kendall;

	points += trend->onset;
	count -= trend->onset;
	if (!thins_out(points, count))
		return true;
	take_means(points, count, means);
	stretch_open(&stretch, means, count);
	if (!rises_here(&stretch, trend, &kendall))
		return false;
	trend->slope_low = fmin(trend->slope_low, kendall.slope_low);
	return true;
}

static struct trend
judge_windows(const struct trend_point *points, size_t count, double least)
{
	struct trend trend = judge(points, count, least, MEASURED);
	if (verdict_is_leak(trend.verdict) || !may_be_seasonal(points, count))
		return trend;
	struct trend beneath = judge_without_season(points, count, least);
	if (verdict_is_leak(beneath.verdict))
		return beneath;
	if (oscillation_count(points, count, oscillation_range(points, count) / 2) < OSCILLATION_TEETH)
		return trend;

	// Teeth (oscillation.h) that are longer than a window raise its floor. Windows that are longer
	// than the teeth show the floor beneath them.
	struct trend_point coarse[TREND_MAX / COARSE];
	struct trend again = judge(coarse, join_windows(points, count, coarse), least, MEASURED);
	if (!verdict_is_leak(again.verdict))
		return trend;
	again.onset = onset_at(points, count, coarse[again.onset].time);
	return again;
}

static struct trend
judge_floors(const struct trend_point *points, size_t count, double least)
{
	struct trend trend = judge_windows(points, count, least);
	if (verdict_is_leak(trend.verdict) && !means_rise(points, count, &trend))
		trend.verdict = oscillation_verdict(points, count, least);
	return trend;
}

// Sets a rise's slope and growth to those of the floors. Returns false if the floors do not rise, too.
static bool
take_floors(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct stretch floors;
	struct kendall kendall;

	stretch_open(&floors, points + trend->onset, count - trend->onset);
	if (!rises_here(&floors, trend, &kendall))
		return false;
	rise_test_measure(&floors, &kendall, trend);
	return true;
}

// Sets a leak's slope and growth to those of the floors without their wave, if they have one: the
// wave would widen the slope's interval.
static void
take_floors_without_season(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct trend_point calm[TREND_MAX];
	size_t onset = trend->onset;
	double error;

	if (!may_be_seasonal(points, count))
		return;
	size_t left = seasonal_remove(points, count, calm, &error);
	if (left == 0 || calm[left - 1].time < points[onset].time)
		return;
	trend->onset = onset_at(calm, left, points[onset].time);
	if (left - trend->onset >= TREND_LEAST && take_floors(calm, left, trend)) {
		trend->slope_low -= error;
		trend->slope_high += error;
	}
	trend->onset = onset;
}

// Floors and means must agree: means have less noise, so a weak rise may show only in them, and so may a
// curve that slows down, or a fall at the end. Floors that never fall have no noise: then means are not
// asked. If blocks turn over (shape.h), means follow the load: then a
// rise of means alone is no leak, and one of floors alone is none either.
struct trend
trend_judge(const struct trend_point *points, size_t count, double least)
{
	struct trend_point means[TREND_MAX];
	struct stretch all;

	ASSERT(count <= TREND_MAX);
	struct trend trend = judge_floors(points, count, least);
	if (count < TREND_LEAST)
		return trend;
	stretch_open(&all, points, count);
	take_means(points, count, means);
	bool turns_over = shape_turns_over(&all);
	if (verdict_is_leak(trend.verdict)) {
		// The last window has just begun.
		bool has_begun = 2 * points[count - 1].told < points[count - 2].told;
		enum verdict of_means = judge_floors(means, count - has_begun, least).verdict;
		bool is_curve = of_means == VERDICT_SETTLES || of_means == VERDICT_SLOWS;
		if ((is_curve && !shape_is_monotone(&all)) || (turns_over && !verdict_is_leak(of_means)))
			trend.verdict = of_means;
		stretch_open(&all, means + trend.onset, count - trend.onset);
		if (shape_falls_at_last(&all, 2 * trend.growth))
			trend.verdict = oscillation_verdict(points, count, least);
	} else if (!turns_over && !thins_out(points, count)) {
		struct trend rise = judge(means, count, least, MEANS);
		if (verdict_is_leak(rise.verdict) && take_floors(points, count, &rise))
			trend = rise;
	}
	if (!verdict_is_leak(trend.verdict))
		return trend;
	take_floors_without_season(points, count, &trend);
	if (oscillation_is_sampled_late(points, count, &trend))
		trend.verdict = oscillation_verdict(points, count, least);
	return trend;
}
