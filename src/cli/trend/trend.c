// SPDX-License-Identifier: BSD-2-Clause
// Three questions are asked, in this order. Does the floor rise by more than chance explains? If
// yes, may the rise be something else than a leak (rise_test.c, oscillation_is_tooth())? If no,
// what is the series instead (oscillation.c)?

#include <math.h>

#include "base/assert.h"
#include "trend/changepoint.h"
#include "trend/curve.h"
#include "trend/interval.h"
#include "trend/kendall.h"
#include "trend/oscillation.h"
#include "trend/rise_test.h"
#include "trend/seasonal.h"
#include "trend/shape.h"
#include "trend/smoothing.h"
#include "trend/steps.h"
#include "trend/trend.h"
#include "trend/verdict.h"

enum {
	SEASONS = 2,  // a series with this many falls may have a wave (seasonal.h)
};

// A rise that is found in means or middles must show in the floors, too. If later windows have
// fewer snapshots, a rise of the floors must show in the means. A rise shows in a series if chance
// alone makes it with at most this probability.
static const double likely = 0.05;
// A rise must have this evidence (verdict.h) for a line that rises, against a level: of_walk +
// of_short_walk / windows. 5 of 100 random walks have more evidence. If there are more windows than
// long_walk, long_walk is used in the formula.
static const double of_walk = 3.4;
static const double of_short_walk = 80;
static const double long_walk = 64;
// This, divided by the square of the number of snapshots in a window, is added to the required
// evidence. The fewer snapshots a window has, the more its floor goes up and down with a random
// walk.
static const double of_few = 3;

// Looks for a bend in a leak that seems to begin at the first point. If the floors hardly rose at
// first, a line through all points has neither the slope before the bend nor the slope after it. By
// Schwarz's criterion, each parameter needs evidence of log(n). The bend and its place are two
// parameters. With evidence of log(n), a bend is possible. Then the slope's interval is extended to
// the slope after the bend. With evidence of 2 * log(n), growth began at the bend.
static void
find_beginning(const struct trend_point *points, size_t count, double correlation,
	struct trend *trend)
{
	struct stretch all, behind;
	struct trend later = *trend;
	double n = (double)count, evidence;

	stretch_open(&all, points, count);
	later.onset = shape_bend(&all, &evidence);
	evidence *= (1 - correlation) / (1 + correlation);
	if (later.onset == 0 || evidence <= log(n))
		return;
	stretch_open(&behind, points + later.onset, count - later.onset);
	struct kendall kendall = kendall_test(behind.times, behind.floors, behind.count);
	if (kendall.slope <= trend->slope)
		return;
	rise_test_measure(&behind, &kendall, &later);
	later.slope_low = fmin(trend->slope_low, later.slope_low);
	later.slope_high = trend->slope_high = fmax(trend->slope_high, later.slope_high);
	if (evidence > 2 * log(n) && changepoint_is_better(points, count, &later, trend))
		*trend = later;
}

// Returns the variance of the floors' noise from an onset on: the highest of several estimates, in
// the whole series and in later parts. The reason: later windows may have fewer snapshots, so that
// their means have more noise. Returns 0 if the noise is not known.
static double
noise_from(const struct rise_criteria *criteria, const struct trend_point *points,
	size_t count)
{
	size_t half = count / 2;

	if (criteria->noise <= 0 || count < 2 * TREND_LEAST)
		return criteria->noise;
	double noise = fmax(criteria->noise, smoothing_noise(points, count));
	if (!smoothing_thins_out(points, count))
		return noise;
	return fmax(noise, smoothing_noise(points + half, count - half));
}

// Sets the candidate, but for `stretch` and `evidence`, which the caller sets. Its rise begins with
// onset number `i`.
static void
describe(struct rise_candidate *candidate, const struct trend_point *points, size_t count, size_t i,
	const struct rise_criteria *criteria)
{
	struct stretch *stretch = &candidate->stretch;

	candidate->noise = i == 0 ? criteria->noise
		: noise_from(criteria, stretch->points, stretch->count);
	stretch->noise = stretch->count * 2 <= count ? candidate->noise : 0;
	candidate->curve = curve_that_slows(stretch);
	candidate->is_whole = !criteria->is_calm && i == 0 && !smoothing_thins_out(points, count);
	candidate->is_young = stretch->points[0].time - points[0].time
		> TREND_YOUNG * (points[count - 1].time - points[0].time);
}

// Tries several onsets, and returns the best leak. If no leak is found, returns a verdict that says
// why.
static struct trend
judge(const struct trend_point *points, size_t count, const struct rise_criteria *criteria)
{
	struct trend best = {.verdict = VERDICT_SHORT};
	if (count < TREND_LEAST)
		return best;

	struct stretch all;
	size_t onsets[CHANGEPOINTS_MAX];
	size_t found = changepoint_find_all(points, count, onsets);
	enum verdict innocent = VERDICT_FLAT;
	bool slows = false;
	for (size_t i = 0; i < found; i++) {
		struct trend trend;
		struct rise_candidate candidate;
		stretch_open(&candidate.stretch, points + onsets[i], count - onsets[i]);
		if (stretch_duration(&candidate.stretch) <= 0)
			break;
		if (stretch_range(&candidate.stretch) < criteria->growth)
			continue;
		// A rise after a quiet time is judged without what came before that time.
		bool was_quiet = i > 0
			&& changepoint_is_after_quiet(points, count, onsets[i - 1], onsets[i]);
		size_t from = was_quiet ? onsets[i - 1] : 0;
		if (slows && !was_quiet)
			continue;
		stretch_open(&all, points + from, count - from);
		describe(&candidate, points, count, i, criteria);
		// A curve that slows down fits from this onset on. A rise from a later onset would only be a
		// part of the same curve, unless a quiet time is before the rise.
		if (rise_test_slows(&candidate) && candidate.curve.against_two > -TREND_STRONG
				&& !shape_is_in_steps(&candidate.stretch)) {
			innocent = rise_test_verdict(&candidate.curve);
			slows = true;
			continue;
		}
		// A searched onset (i > 0) is two parameters more by Schwarz's criterion.
		candidate.evidence = curve_rises(&candidate.stretch,
			curve_autocorrelation(points, count, onsets, i))
			- (i > 0 ? 2 * log((double)count) : 0);
		if (!rise_test(&all, &candidate, found, criteria, &trend)
				|| trend.growth < criteria->growth)
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
			find_beginning(points, count, curve_autocorrelation(points, count, onsets, 0),
				&best);
		return best;
	}
	best.verdict = oscillation_verdict(points, count, criteria->growth);
	// Growth that was freed again shows better in the whole series than in the rise from one onset.
	// So these two verdicts of the whole series are kept.
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
	return oscillation_count(points, count,
		oscillation_range(points, count) / 4) >= SEASONS;
}

// Judges the series without its wave (seasonal.h). With the wave, quiet times would be compared
// with busy ones. Returns VERDICT_FLAT if there is no wave, or if a few steps fit as well.
static struct trend
judge_without_season(const struct trend_point *points, size_t count, double noise,
	double least)
{
	struct trend_point calm[TREND_MAX];
	struct rise_criteria criteria = {.growth = least, .evidence = TREND_NO_ACCIDENT,
		.is_calm = true};
	struct trend none = {.verdict = VERDICT_FLAT};
	struct stretch all, beneath;
	double error;

	size_t left = seasonal_remove(points, count, calm, &error);
	stretch_open(&all, points, count);
	stretch_open(&beneath, calm, left);
	if (left == 0 || steps_fit_as_seasonal(&all, &beneath, noise))
		return none;
	struct trend trend = judge(calm, left, &criteria);
	trend.slope_low -= error;
	trend.slope_high += error;
	// calm[] lacks the points at the wave's edges. If growth begins with the first point of
	// calm[], the onset stays 0: earlier points were only left out.
	if (trend.onset > 0)
		trend.onset = onset_at(points, count, calm[trend.onset].time);
	return trend;
}

// The minimum of few snapshots is mostly higher than the minimum of many. So floors rise even
// without a leak if later windows have fewer snapshots. Means do not. If later windows have fewer
// snapshots, returns false unless the means rise, too, at least half as fast as the floors. If they
// do, the slope's interval is extended down to the lower end of the means' interval.
static bool
take_means(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct trend_point points_of[TREND_MAX];
	struct stretch means;

	points += trend->onset;
	count -= trend->onset;
	if (!smoothing_thins_out(points, count))
		return true;
	smoothing_means(points, count, points_of);
	stretch_open(&means, points_of, count);
	struct kendall kendall = kendall_test(means.times, means.floors, means.count);
	if (kendall.p > likely || kendall.slope < trend->slope / 2)
		return false;
	trend->slope_low = fmin(trend->slope_low, kendall.slope_low);
	return true;
}

static struct trend
judge_floors(const struct trend_point *points, size_t count, double noise, double least)
{
	double of_any_walk = of_walk + of_short_walk / fmin((double)count, long_walk)
		+ (count > 0 ? of_few / pow(fmax(points[count / 2].told, 1), 2) : 0);
	struct rise_criteria criteria = {.growth = least, .by_signs = true, .noise = noise,
		.evidence = noise > 0 ? TREND_STRONG : of_any_walk};
	struct trend trend = judge(points, count, &criteria);
	if (verdict_is_leak(trend.verdict) && noise == 0 && !take_means(points, count, &trend))
		trend.verdict = oscillation_verdict(points, count, least);
	if (verdict_is_leak(trend.verdict) || !may_be_seasonal(points, count))
		return trend;
	struct trend beneath = judge_without_season(points, count, noise, least);
	if (verdict_is_leak(beneath.verdict))
		return beneath;
	if (trend.verdict == VERDICT_SETTLES || trend.verdict == VERDICT_SLOWS
			|| count < SMOOTHING_COARSE * TREND_LEAST
			|| oscillation_count(points, count, oscillation_range(points, count) / 2)
				< OSCILLATION_TEETH)
		return trend;

	// Teeth (oscillation.h) that are longer than a window raise its floor. Windows that are longer
	// than the teeth show the floor beneath them.
	criteria.evidence = TREND_NO_ACCIDENT;
	criteria.noise = 0;
	struct trend_point coarse[TREND_MAX / SMOOTHING_COARSE];
	struct trend again = judge(coarse, smoothing_coarse(points, count, coarse), &criteria);
	if (!verdict_is_leak(again.verdict))
		return trend;
	again.onset = onset_at(points, count, coarse[again.onset].time);
	bool is_tooth = oscillation_is_long_tooth(points, count, again.onset, again.growth);
	return is_tooth ? trend : again;
}

// For a rise that was found in middles or means: sets its slope and growth to the floors' slope and
// growth. Returns false if the floors do not rise, too.
static bool
take_floors(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct stretch floors;

	stretch_open(&floors, points + trend->onset, count - trend->onset);
	struct kendall kendall = kendall_test(floors.times, floors.floors, floors.count);
	if (kendall.p > likely || kendall.slope < trend->slope / 2)
		return false;
	rise_test_measure(&floors, &kendall, trend);
	interval_widen(&floors, &trend->slope_low, &trend->slope_high);
	return true;
}

// Does the same as take_floors(), after subtracting the floors' wave: the wave would widen the
// slope's interval. Returns false if there is no wave.
static bool
take_floors_without_season(const struct trend_point *points, size_t count,
	struct trend *trend)
{
	struct trend_point calm[TREND_MAX];
	size_t onset = trend->onset;
	double error;

	if (!may_be_seasonal(points, count))
		return false;
	size_t left = seasonal_remove(points, count, calm, &error);
	if (left == 0 || calm[left - 1].time < points[onset].time)
		return false;
	trend->onset = onset_at(calm, left, points[onset].time);
	bool is_taken = left - trend->onset >= TREND_LEAST && take_floors(calm, left, trend);
	trend->onset = onset;
	trend->slope_low -= is_taken ? error : 0;
	trend->slope_high += is_taken ? error : 0;
	return is_taken;
}

// Judges the middles of floors and peaks. They have less noise than floors or peaks alone, so a
// weak rise may show only in them. If blocks turn over (shape.h), peaks and so middles follow the
// load. Then a rise of middles is no leak.
static struct trend
judge_midpoints(const struct trend_point *points, size_t count, double least)
{
	struct trend_point midpoints[TREND_MAX];
	struct rise_criteria criteria = {.growth = least, .evidence = TREND_NO_ACCIDENT};
	struct trend none = {.verdict = VERDICT_FLAT};
	struct stretch floors;

	smoothing_midpoints(points, count, midpoints);
	struct trend trend = judge(midpoints, count, &criteria);
	if (!verdict_is_leak(trend.verdict))
		return none;
	stretch_open(&floors, points + trend.onset, count - trend.onset);
	return !shape_turns_over(&floors) && take_floors(points, count, &trend) ? trend : none;
}

struct trend
trend_judge(const struct trend_point *points, size_t count, double least)
{
	struct trend_point means[TREND_MAX];
	struct stretch all;

	ASSERT(count <= TREND_MAX);
	stretch_open(&all, points, count);
	// A last window that has just begun has few snapshots, and so more noise than the others. It is
	// left out of the means.
	size_t full = smoothing_full(points, count);
	double noise = count < TREND_LEAST ? 0
		: smoothing_independent_means(points, full, means);
	bool turns_over = count >= TREND_LEAST && shape_turns_over(&all);
	bool by_means = noise > 0 && !turns_over;
	struct trend trend = by_means ? judge_floors(means, full, noise, least)
		: judge_floors(points, count, 0, least);

	// If blocks turn over, floors are a random walk, though floors and peaks may seem independent.
	// So not the means but the floors were judged above. But a curve that slows down shows better
	// in the means. So the source leaks only if the verdict on the means is a leak, too.
	if (turns_over && noise > 0 && verdict_is_leak(trend.verdict)) {
		enum verdict of_means = judge_floors(means, full, noise, least).verdict;
		trend.verdict = verdict_is_leak(of_means) ? trend.verdict : of_means;
	}
	bool is_beneath = verdict_is_leak(trend.verdict)
		&& take_floors_without_season(points, count, &trend);
	if (verdict_is_leak(trend.verdict) && by_means
			&& ((full < count
					&& smoothing_falls_at_last(points, count, noise, trend.growth))
				|| !(is_beneath || take_floors(points, count, &trend))
				|| !take_means(points, count, &trend)))
		trend.verdict = oscillation_verdict(points, count, least);
	if (verdict_is_leak(trend.verdict) && oscillation_is_sampled_late(points, count, &trend)) {
		trend.verdict = oscillation_verdict(points, count, least);
		return trend;
	}
	if (verdict_is_leak(trend.verdict) || by_means)
		return trend;
	struct trend midpoints = judge_midpoints(points, count, least);
	return verdict_is_leak(midpoints.verdict) ? midpoints : trend;
}
