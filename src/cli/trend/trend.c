// In this order: is there a rise of the floor that is no chance (rises())? May it be something
// else than a leak (judge_rise(), swings_are_tooth())? If there is none, what is it then (swings.c)?

#include <math.h>

#include "trend/trend.h"

enum {
	WAVES = 2,  // falls that may be a wave
};

// A rise is believed when chance makes one like it this often, at most.
static const double believed = 0.001;
// One that is believed for other reasons is to be seen there, too, with this chance at most.
static const double likely = 0.05;
// What lies off by so many deviations does not do so by chance.
static const double no_chance = 3;

// Evidence that leaves hardly a doubt: Kass and Raftery, "Bayes factors", Journal of the American
// Statistical Association 90 (1995).
static const double positive = 2;
static const double strong = 6;
// The evidence that less than 5 of 100 random walks have: of_walk + of_short_walk / windows, of
// which no more than long_walk count.
static const double of_walk = 3.4;
static const double of_short_walk = 80;
static const double long_walk = 64;
// And far more for a rise that is looked for in another way, since there is none; or of what comes and
// goes, as blocks of a pool do.
static const double no_accident = 20;
// A curve whose slope at the end is less than so much of its mean slows down; or is level.
static const double slow = 0.5;
static const double level = 0.1;

const char *const verdict_words[VERDICTS] = {
	[VERDICT_LEAKS] = "leaks",
	[VERDICT_STEPS] = "leaks in steps",
	[VERDICT_SETTLES] = "settles",
	[VERDICT_SLOWS] = "slows down",
	[VERDICT_SAW_TOOTH] = "saw-tooth",
	[VERDICT_SWINGS] = "up and down",
	[VERDICT_LOAD] = "follows load",
	[VERDICT_START_UP] = "start-up",
	[VERDICT_FLAT] = "flat",
	[VERDICT_SHORT] = "too short to tell",
	[VERDICT_SELDOM] = "seldom shown",
};

// Of a rise that is to be believed.
struct wanted {
	double growth;
	double evidence; // for a line, and against a level
	bool by_signs;   // instead, that it hardly ever falls
	double noise;    // variance of that of floors, where it is known; 0: it is not
};

// What may be one, from a beginning on.
struct candidate {
	struct stretch stretch;
	struct curve curve;
	double evidence; // as in struct wanted
	bool is_young;
	double noise; // as in struct wanted
};

// What turns over, and what is young, has to be seen to go on. Where the noise is known few points tell
// as much as many, and more.
static bool
slows(const struct candidate *from)
{
	const struct curve *curve = &from->curve;
	// What a store gets of keys that come in no order, long before it has them all, is a curve
	// whatever its end may be: none goes on at much more than half of its mean slope.
	if (curve->evidence > strong && curve->against_two > 0)
		return true;
	double enough = from->is_young || shape_turns_over(&from->stretch) ? positive : strong;
	if (from->noise > 0 && !shape_turns_over(&from->stretch))
		enough = from->is_young ? strong : TREND_VERY_STRONG;
	return curve->evidence > enough && curve->goes_on < slow;
}

static enum verdict
verdict_of(const struct curve *curve)
{
	return curve->goes_on < level ? VERDICT_SETTLES : VERDICT_SLOWS;
}

// What there is from one point on, when that is a rise.
static void
measure_growth(const struct stretch *stretch, const struct kendall *kendall,
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
	// Under noise the two ends say little.
	for (size_t i = 0; i < stretch->count; i++)
		blocks[i] = stretch->points[i].blocks;
	trend->growth = kendall_growth(stretch->times, stretch->floors, stretch->count);
	trend->growth_blocks = kendall_growth(stretch->times, blocks, stretch->count);
}

// A rise behind a steeper one may be the end of that: then it bends, too.
static bool
is_end_of_rise(const struct trend_point *points, const struct candidate *from, double slope)
{
	const struct trend_point *onset = &from->stretch.points[0];
	double before = onset->floor - points[0].floor;
	return before > 2 * slope * (onset->time - points[0].time) && from->curve.goes_on < slow
		&& from->curve.evidence > (from->noise > 0 ? positive : 0);
}

static enum verdict
judge_rise(const struct stretch *all, const struct candidate *from, double slope)
{
	const struct stretch *stretch = &from->stretch;
	size_t onset = all->count - stretch->count;
	bool in_steps = shape_is_in_steps(stretch);
	if (!in_steps && slows(from))
		return verdict_of(&from->curve);
	if (in_steps ? shape_steps_have_ended(stretch) : stairs_are_there(stretch, from->noise))
		return VERDICT_SETTLES;
	if (!in_steps && onset > 0 && stairs_fit_better(all, onset))
		return VERDICT_SETTLES;
	if (is_end_of_rise(all->points, from, slope))
		return VERDICT_SETTLES;
	if (shape_goes_with_load(stretch))
		return VERDICT_LOAD;
	return in_steps ? VERDICT_STEPS : VERDICT_LEAKS;
}

// False: from that point on there is no rise but what chance makes.
static bool
rises(const struct stretch *all, const struct candidate *from, size_t tries,
	const struct wanted *wanted, struct trend *trend)
{
	const struct stretch *stretch = &from->stretch;
	struct kendall kendall = kendall_test(stretch->times, stretch->floors, stretch->count);
	double sign = shape_sign_chance(stretch);
	// Two tests, and as many beginnings as could have been tried.
	double p = 2 * (double)tries * (sign < kendall.p ? sign : kendall.p);
	if (p > believed || kendall.slope <= 0)
		return false;
	bool by_signs = wanted->by_signs
		&& (2 * (double)tries * sign <= believed || shape_is_monotone(stretch));
	double enough = shape_turns_over(stretch) ? no_accident : wanted->evidence;
	if (from->noise > 0 && stretch->count < all->count)
		enough = fmax(enough, TREND_VERY_STRONG);
	if (!by_signs && from->evidence < enough)
		return false;
	if (from->noise > 0 && shape_may_be_steps(stretch, kendall.slope))
		return false;
	if (shape_falls_at_last(stretch, kendall.slope * stretch_duration(stretch)))
		return false;

	trend->onset = all->count - stretch->count;
	trend->confidence = 1 - p;
	measure_growth(stretch, &kendall, trend);
	interval_widen(stretch, trend->onset > 0, &trend->slope_low, &trend->slope_high);
	trend->verdict = judge_rise(all, from, kendall.slope);
	return true;
}

// A line through what hardly grew at first, and then did, is no rate of either. By Schwarz's criterion,
// where the bend and its place are a parameter each: the interval takes in what comes behind a bend
// that may be; and one that is, is where it began.
static void
find_beginning(const struct trend_point *points, size_t count, double alike, struct trend *trend)
{
	struct stretch all, behind;
	struct trend later = *trend;
	double n = (double)count, evidence;

	stretch_open(&all, points, count);
	later.onset = shape_bend(&all, &evidence);
	evidence *= (1 - alike) / (1 + alike);
	if (later.onset == 0 || evidence <= log(n))
		return;
	stretch_open(&behind, points + later.onset, count - later.onset);
	struct kendall kendall = kendall_test(behind.times, behind.floors, behind.count);
	if (kendall.slope <= trend->slope)
		return;
	measure_growth(&behind, &kendall, &later);
	later.slope_low = fmin(trend->slope_low, later.slope_low);
	later.slope_high = trend->slope_high = fmax(trend->slope_high, later.slope_high);
	if (evidence > 2 * log(n) && onset_is_better(points, count, &later, trend))
		*trend = later;
}

// There are fewer snapshots in a window as time goes on, and more noise in their mean. Few points
// do not tell that.
static double
noise_from(const struct wanted *wanted, const struct trend_point *points, size_t count)
{
	bool is_told = wanted->noise > 0 && count >= 2 * TREND_LEAST;
	return is_told ? fmax(wanted->noise, views_noise(points, count)) : wanted->noise;
}

// The leak that there is, from its beginning on; or why there is none.
static struct trend
judge(const struct trend_point *points, size_t count, const struct wanted *wanted)
{
	struct trend best = {.verdict = VERDICT_SHORT};
	if (count < TREND_LEAST)
		return best;

	struct stretch all;
	size_t onsets[ONSETS_MAX];
	size_t found = onsets_find(points, count, onsets);
	stretch_open(&all, points, count);
	enum verdict innocent = VERDICT_FLAT;
	for (size_t i = 0; i < found; i++) {
		struct trend trend;
		struct candidate from;
		stretch_open(&from.stretch, points + onsets[i], count - onsets[i]);
		if (stretch_duration(&from.stretch) <= 0)
			break;
		if (stretch_range(&from.stretch) < wanted->growth)
			continue;
		from.noise = i == 0 ? wanted->noise
			: noise_from(wanted, points + onsets[i], count - onsets[i]);
		from.stretch.noise = from.stretch.count * 2 <= count ? from.noise : 0;
		from.curve = curve_that_slows(&from.stretch);
		from.is_young = points[onsets[i]].time - points[0].time
			> TREND_YOUNG * (points[count - 1].time - points[0].time);
		// What follows a break is a part of it only.
		if (slows(&from) && from.curve.against_two > -strong
				&& !shape_is_in_steps(&from.stretch)) {
			innocent = verdict_of(&from.curve);
			break;
		}
		// A beginning that was looked for is two parameters more, by Schwarz's criterion.
		from.evidence = curve_rises(&from.stretch, curve_likeness(points, count, onsets, i))
			- (i > 0 ? 2 * log((double)count) : 0);
		if (!rises(&all, &from, found, wanted, &trend) || trend.growth < wanted->growth)
			continue;
		if (!verdict_is_leak(trend.verdict))
			innocent = trend.verdict;
		else if (!swings_are_tooth(points, count, onsets[i], trend.growth)
			&& onset_is_better(points, count, &trend, &best))
			best = trend;
	}
	if (verdict_is_leak(best.verdict)) {
		if (best.onset == 0)
			find_beginning(points, count, curve_likeness(points, count, onsets, 0), &best);
		return best;
	}
	best.verdict = swings_verdict(points, count, wanted->growth);
	// What came back is known better from all of the series.
	bool came_back = best.verdict == VERDICT_START_UP || best.verdict == VERDICT_LOAD;
	if (innocent != VERDICT_FLAT && !came_back)
		best.verdict = innocent;
	return best;
}

// Like with like: what the floor does beneath a wave, or beneath teeth, that it had before, too.
static struct trend
judge_beneath_wave(const struct trend_point *points, size_t count, double noise, double least)
{
	struct trend_point calm[TREND_MAX];
	struct wanted wanted = {.growth = least, .evidence = no_accident};
	struct trend none = {.verdict = VERDICT_FLAT};
	struct stretch all;

	stretch_open(&all, points, count);
	if (!wave_remove(points, count, calm) || stairs_fit_as_wave(&all, calm, noise))
		return none;
	return judge(calm, count, &wanted);
}

// The least of many snapshots lies lower than that of few, and later windows have fewer: what rises
// by that alone has no mean that does, and false is returned. What rises by that as well may be as
// slow as its mean.
static bool
take_means(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct trend_point points_of[TREND_MAX];
	struct stretch means;

	points += trend->onset;
	count -= trend->onset;
	if (!views_told_less(points, count))
		return true;
	views_means(points, count, points_of);
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
	struct wanted wanted = {.growth = least, .by_signs = true, .noise = noise,
		.evidence = noise > 0 ? strong : of_walk + of_short_walk / fmin((double)count, long_walk)};
	struct trend trend = judge(points, count, &wanted);
	if (verdict_is_leak(trend.verdict) && noise == 0 && !take_means(points, count, &trend))
		trend.verdict = swings_verdict(points, count, least);
	if (verdict_is_leak(trend.verdict)
			|| swings_count(points, count, swings_range(points, count) / 4) < WAVES)
		return trend;
	struct trend beneath = judge_beneath_wave(points, count, noise, least);
	if (verdict_is_leak(beneath.verdict))
		return beneath;
	if (trend.verdict == VERDICT_SETTLES || trend.verdict == VERDICT_SLOWS
			|| count < VIEWS_COARSE * TREND_LEAST
			|| swings_count(points, count, swings_range(points, count) / 2) < SWINGS_TEETH)
		return trend;

	// The floor beneath teeth longer than a window shows in longer windows.
	wanted.evidence = no_accident;
	wanted.noise = 0;
	struct trend_point coarse[TREND_MAX / VIEWS_COARSE];
	struct trend again = judge(coarse, views_coarse(points, count, coarse), &wanted);
	if (!verdict_is_leak(again.verdict))
		return trend;
	size_t onset = 0;
	while (points[onset].time < coarse[again.onset].time)
		onset++;
	again.onset = onset;
	return swings_are_long_tooth(points, count, again.onset, again.growth) ? trend : again;
}

// A rise of what lies halfway between floors and peaks: the floors have to rise with it, and it is as
// much as they do. False: they do not.
static bool
take_floors(const struct trend_point *points, size_t count, struct trend *trend)
{
	struct stretch floors;

	stretch_open(&floors, points + trend->onset, count - trend->onset);
	struct kendall kendall = kendall_test(floors.times, floors.floors, floors.count);
	if (kendall.p > likely || kendall.slope < trend->slope / 2)
		return false;
	measure_growth(&floors, &kendall, trend);
	interval_widen(&floors, trend->onset > 0, &trend->slope_low, &trend->slope_high);
	return true;
}

// There is less noise there than in floors or peaks alone, so a weak rise shows there that does not in
// the floors. What comes and goes has such a middle by its load.
static struct trend
judge_middles(const struct trend_point *points, size_t count, double least)
{
	struct trend_point middles[TREND_MAX];
	struct wanted wanted = {.growth = least, .evidence = no_accident};
	struct trend none = {.verdict = VERDICT_FLAT};
	struct stretch floors;

	if (!views_middles(points, count, middles))
		return none;
	struct trend trend = judge(middles, count, &wanted);
	if (!verdict_is_leak(trend.verdict))
		return none;
	stretch_open(&floors, points + trend.onset, count - trend.onset);
	return !shape_turns_over(&floors) && take_floors(points, count, &trend) ? trend : none;
}

// The last window has few snapshots, whose mean is off by chance: more than that.
static bool
lets_go_at_last(const struct trend_point *points, size_t count, double noise, double growth)
{
	const struct trend_point *last = &points[count - 1], *before = last - 1;
	double chance = no_chance * sqrt(noise * before->told / fmax(last->told, 1));
	return before->mean - last->mean > fmax(growth / 4, chance);
}

struct trend
trend_judge(const struct trend_point *points, size_t count, double least)
{
	struct trend_point both[TREND_MAX];
	struct stretch all;

	stretch_open(&all, points, count);
	// A window that has just begun is noisier than the others.
	size_t full = views_full(points, count);
	double noise = count < TREND_LEAST || shape_turns_over(&all) ? 0
		: views_both(points, full, both);
	struct trend trend = noise > 0 ? judge_floors(both, full, noise, least)
		: judge_floors(points, count, 0, least);

	if (verdict_is_leak(trend.verdict) && noise > 0
			&& ((full < count && lets_go_at_last(points, count, noise, trend.growth))
				|| !take_floors(points, count, &trend) || !take_means(points, count, &trend)))
		trend.verdict = swings_verdict(points, count, least);
	if (verdict_is_leak(trend.verdict) || noise > 0)
		return trend;
	struct trend middles = judge_middles(points, count, least);
	return verdict_is_leak(middles.verdict) ? middles : trend;
}
