// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "trend/curve.h"
#include "trend/kendall.h"
#include "trend/rise_test.h"
#include "trend/shape.h"
#include "trend/steps.h"
#include "trend/verdict.h"

// If values are a line plus noise, the best curve has more than this evidence in 3 of 100 cases.
// Schwarz's criterion subtracts the logarithm of the number of points for the curve's parameter. In
// this number, it is not yet subtracted.
static const double of_noise = 6.5;

// Less evidence is enough if the curve leaves nothing but noise of the whole series: then only chance could
// have made it of a line.
bool
rise_test_slows(const struct rise_candidate *candidate)
{
	const struct curve *curve = &candidate->curve;
	double enough = candidate->is_whole && curve->leaves_noise
		? of_noise - log((double)candidate->stretch.count) : TREND_STRONG;
	return curve->evidence > enough;
}

enum verdict
rise_test_verdict(const struct curve *curve)
{
	return curve->goes_on < SHARE_HARDLY ? VERDICT_SETTLES : VERDICT_SLOWS;
}

void
rise_test_measure(const struct stretch *stretch, const struct kendall *kendall,
	struct trend *trend)
{
	double blocks[TREND_MAX];

	for (size_t i = 0; i < stretch->count; i++)
		blocks[i] = stretch->points[i].blocks;
	trend->slope = kendall->slope;
	trend->slope_low = kendall->slope_low;
	trend->slope_high = kendall->slope_high;
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
	return before > 2 * slope * (onset->time - points[0].time) && candidate->curve.evidence > 0;
}

static enum verdict
judge_rise(const struct stretch *all, const struct rise_candidate *candidate, double slope)
{
	const struct stretch *stretch = &candidate->stretch;
	bool in_steps = shape_is_in_steps(stretch);
	if (!in_steps && rise_test_slows(candidate))
		return rise_test_verdict(&candidate->curve);
	if (in_steps ? shape_steps_have_ended(stretch) : steps_are_there(stretch))
		return VERDICT_SETTLES;
	if (!in_steps && stretch->count < all->count && steps_fit_better(all, all->count - stretch->count))
		return VERDICT_SETTLES;
	if (is_end_of_rise(all->points, candidate, slope))
		return VERDICT_SETTLES;
	if (shape_goes_with_load(stretch))
		return VERDICT_LOAD;
	return in_steps ? VERDICT_STEPS : VERDICT_LEAKS;
}

bool
rise_test(const struct stretch *all, const struct rise_candidate *candidate, size_t tries,
	struct trend *trend)
{
	const struct stretch *stretch = &candidate->stretch;
	struct kendall kendall = kendall_test(stretch->times, stretch->floors, stretch->count);
	double sign = shape_sign_chance(stretch);
	// Two tests are made for each onset that is tried, and any of them may find a rise by chance.
	// So the chance is multiplied by the number of tests.
	double tests = 2 * (double)tries, p = tests * fmin(sign, kendall.p);
	if (p > TREND_NO_CHANCE || kendall.slope <= 0)
		return false;
	bool by_signs = candidate->by_signs
		&& (tests * sign <= TREND_NO_CHANCE || shape_is_monotone(stretch));
	double enough = shape_turns_over(stretch) ? TREND_NO_ACCIDENT : candidate->enough;
	if (!by_signs && candidate->evidence < enough)
		return false;
	if (shape_falls_at_last(stretch, kendall.slope * stretch_duration(stretch)))
		return false;

	trend->onset = all->count - stretch->count;
	trend->confidence = 1 - p;
	rise_test_measure(stretch, &kendall, trend);
	trend->verdict = judge_rise(all, candidate, kendall.slope);
	return true;
}
