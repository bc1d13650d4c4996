// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/curve.h"
#include "trend/interval.h"
#include "trend/kendall.h"
#include "trend/rise_test.h"
#include "trend/shape.h"
#include "trend/steps.h"
#include "trend/verdict.h"

// A rise is credible if chance alone makes it with at most this probability.
static const double believed = 0.001;
// If values are a line plus noise, the best curve has more than this evidence in 3 of 100 cases.
// Schwarz's criterion subtracts the logarithm of the number of points for the curve's parameter. In
// this number, it is not yet subtracted.
static const double of_noise = 6.5;
// A curve slows down if its slope at the end is below the share `slow` of its mean slope. It has
// become level if that slope is below the share `level`.
static const double slow = 0.5;
static const double level = 0.1;

// If the rise is young, or if its blocks turn over (shape.h), little evidence for a curve is
// enough. Nobody knows yet whether a rise of that kind goes on. If the variance of the noise is
// known, even few points give much evidence. So more evidence is required then, unless the blocks
// turn over.
bool
rise_test_slows(const struct rise_candidate *candidate)
{
	const struct curve *curve = &candidate->curve;
	// The curve leaves nothing but noise. And its evidence is more than of_noise: more than
	// chance makes if the values are a line plus noise.
	if (candidate->is_whole && curve->leaves_noise
			&& curve->evidence > of_noise - log((double)candidate->stretch.count))
		return true;
	// A store whose keys come in random order slows down long before it has all keys. At its
	// end, the curve's slope may still be a little above the share `slow` of its mean slope. So
	// for a curve of this kind the slope at the end is not compared with `slow`.
	if (curve->fills || (curve->evidence > TREND_STRONG && curve->against_two > 0))
		return true;
	double enough = candidate->is_young || shape_turns_over(&candidate->stretch)
		? TREND_POSITIVE : TREND_STRONG;
	if (candidate->noise > 0 && !shape_turns_over(&candidate->stretch))
		enough = candidate->is_young ? TREND_STRONG : TREND_VERY_STRONG;
	return curve->evidence > enough && curve->goes_on < slow;
}

enum verdict
rise_test_verdict(const struct curve *curve)
{
	return curve->goes_on < level ? VERDICT_SETTLES : VERDICT_SLOWS;
}

void
rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend)
{
	const struct trend_point *first = &stretch->points[0];
	const struct trend_point *last = &stretch->points[stretch->count - 1];
	double blocks[TREND_MAX];

	trend->slope = kendall->slope;
	trend->slope_low = kendall->slope_low;
	trend->slope_high = kendall->slope_high;
	trend->growth = last->floor - first->floor;
	trend->growth_blocks = last->blocks - first->blocks;
	if (shape_is_monotone(stretch))
		return;
	// If floors are noisy, the first and the last floor say little about growth. So growth is
	// measured by all floors.
	for (size_t i = 0; i < stretch->count; i++)
		blocks[i] = stretch->points[i].blocks;
	trend->growth = kendall_growth(stretch->times, stretch->floors, stretch->count);
	trend->growth_blocks = kendall_growth(stretch->times, blocks, stretch->count);
}

// Returns true if the rise seems to be the last part of a longer rise that was steeper before the
// onset, and slows down. The candidate's own floors must also slow down.
static bool
is_end_of_rise(const struct trend_point *points, const struct rise_candidate *candidate,
	double slope)
{
	const struct trend_point *onset = &candidate->stretch.points[0];
	double before = onset->floor - points[0].floor;
	return before > 2 * slope * (onset->time - points[0].time)
		&& candidate->curve.goes_on < slow
		&& candidate->curve.evidence > (candidate->noise > 0 ? TREND_POSITIVE : 0);
}

static enum verdict
judge_rise(const struct stretch *all, const struct rise_candidate *candidate, double slope)
{
	const struct stretch *stretch = &candidate->stretch;
	size_t onset = all->count - stretch->count;
	bool in_steps = shape_is_in_steps(stretch);
	if (!in_steps && rise_test_slows(candidate))
		return rise_test_verdict(&candidate->curve);
	if (in_steps ? shape_steps_have_ended(stretch)
			: steps_are_there(stretch, candidate->noise))
		return VERDICT_SETTLES;
	if (!in_steps && onset > 0 && steps_fit_better(all, onset))
		return VERDICT_SETTLES;
	if (is_end_of_rise(all->points, candidate, slope))
		return VERDICT_SETTLES;
	if (shape_goes_with_load(stretch))
		return VERDICT_LOAD;
	return in_steps ? VERDICT_STEPS : VERDICT_LEAKS;
}

bool
rise_test(const struct stretch *all, const struct rise_candidate *candidate, size_t tries,
	const struct rise_criteria *criteria, struct trend *trend)
{
	const struct stretch *stretch = &candidate->stretch;
	struct kendall kendall = kendall_test(stretch->times, stretch->floors, stretch->count);
	double sign = shape_sign_chance(stretch);
	// Two tests are made for each onset that is tried, and any of them may find a rise by chance.
	// So the chance is multiplied by the number of tests.
	double p = 2 * (double)tries * (sign < kendall.p ? sign : kendall.p);
	if (p > believed || kendall.slope <= 0)
		return false;
	bool by_signs = criteria->by_signs
		&& (2 * (double)tries * sign <= believed || shape_is_monotone(stretch));
	double enough = shape_turns_over(stretch) ? TREND_NO_ACCIDENT : criteria->evidence;
	if (!by_signs && candidate->evidence < enough)
		return false;
	if (candidate->noise > 0 && shape_may_be_steps(stretch, kendall.slope))
		return false;
	if (shape_falls_at_last(stretch, kendall.slope * stretch_duration(stretch)))
		return false;

	trend->onset = all->count - stretch->count;
	trend->confidence = 1 - p;
	rise_test_measure(stretch, &kendall, trend);
	interval_widen(stretch, &trend->slope_low, &trend->slope_high);
	trend->verdict = judge_rise(all, candidate, kendall.slope);
	return true;
}
