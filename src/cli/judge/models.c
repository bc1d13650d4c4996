// SPDX-License-Identifier: BSD-2-Clause
// Events are rare, and each costs a model the logarithm of its odds. A fill is one, and a leak is
// one: a source that fills and then leaks has both. A load changes often, so jumps are none.

#include <math.h>
#include <string.h>

#include "judge/models.h"
#include "judge/models_count.h"

enum {
	COARSE = 24, // rises between two values are tried at so many values first
	CURVES = 12, // curves of each kind
	SEEN = 4,    // fewest values that show that a rise has begun, or has ended
};

// Of so many sources one fills, and one leaks. More would miss weak leaks, fewer take walks for leaks.
static const double rare = 29;
// A leak's pace may change by this factor: work has changed, not the leak.
static const double even = 2.0 / 3;
// Time constants of curves, as shares of the series: the shortest is a jump, the longest a line.
static const double shortest = 0.01, longest = 2;
// A slope within the interval fits worse than the best by no more than this: the chi-squared
// quantile of 95 % with one degree of freedom.
static const double nearly = 4;
// Evidence, as Kass and Raftery grade it, that a leak did not begin earlier.
static const double very_strong = 10;

struct search {
	struct fit_bends bends;
	size_t count, seen, step;
	struct fit leaks[FIT_MAX + 1]; // the best that begins at each value
	bool waits[FIT_MAX];
	struct models *models;
	double curve, ended, two; // the best score of each
	size_t ended_from, two_to, two_since;
};

static double
price(double events)
{
	return events * 2 * log(rare);
}

// Returns true if what begins at this value lasts too short a time to tell anything.
static bool
is_brief(const struct search *search, size_t since)
{
	return since + search->seen > search->count
		|| search->bends.series->times[since] > 1 - MODELS_BRIEF;
}

static bool
take_leak(struct search *search, struct fit fit, size_t since)
{
	if (fit.slope <= 0 || is_brief(search, since))
		return false;
	if (fit.score < search->leaks[since].score)
		search->leaks[since] = fit;
	if (fit.score < search->models->leak.score) {
		search->models->leak = fit;
		search->models->since = since;
	}
	return true;
}

// Marks values that may only be waiting: nothing fell before, and one wait was at least half of the rest.
static void
find_waits(struct search *search)
{
	const double *values = search->bends.series->values;
	size_t high = 0, most = 0;

	memset(search->waits, 0, sizeof(search->waits));
	for (size_t i = 0; i < search->count && values[i] >= values[high]; i++) {
		if (values[i] > values[high]) {
			most = i - high > most ? i - high : most;
			high = i;
		}
		search->waits[i] = 2 * most > search->count - i;
	}
}

// A quick rise is a load's: a jump that takes time, so its length is one parameter more. A longer one
// is a fill, and its end must be seen.
static void
try_ended(struct search *search, size_t from, size_t to)
{
	const double *times = search->bends.series->times;
	bool is_load = times[to] - times[from] <= MODELS_BRIEF;

	if (!is_load && (is_brief(search, to) || search->waits[to]))
		return;
	struct fit fit = fit_rises(&search->bends, from, to, search->count);
	fit.score += is_load ? search->bends.series->price : price(1) + MODELS_DOUBT;
	if (fit.score >= search->ended)
		return;
	search->ended = fit.score;
	search->models->until = to;
	search->ended_from = from;
}

// Returns true if two lines are one leak, whose pace has changed a little. Its slope is the mean then.
static bool
is_one(const struct search *search, struct fit *fit, size_t bend)
{
	double at = search->bends.series->times[bend], change = fit->slope - fit->other;

	if (fit->slope < even * fit->other || fit->other < even * fit->slope)
		return false;
	fit->error = hypot(fit->error, change / 2 / sqrt(nearly));
	fit->slope -= at * change;
	return true;
}

// A rise that becomes slower was a fill, and so was one after which nothing grew for a while.
static void
try_two(struct search *search, size_t to, size_t since)
{
	struct fit fit = fit_rises(&search->bends, 0, to, since);

	if (fit.other <= 0 || fit.slope <= 0)
		return;
	bool is_bent = since == to && is_one(search, &fit, to);
	fit.score += price(!is_bent && (since > to || fit.slope < fit.other) ? 2 : 1);
	if (!take_leak(search, fit, is_bent ? 0 : since) || fit.score >= search->two)
		return;
	search->two = fit.score;
	search->two_to = to;
	search->two_since = since;
}

static void
try_near(struct search *search, size_t from, size_t to, void try(struct search *, size_t, size_t))
{
	size_t step = search->step;

	for (size_t a = from > step ? from - step : 0; a <= from + step; a++)
		for (size_t b = to > step ? to - step : 0; b <= to + step && b + 1 < search->count; b++)
			if (a <= b)
				try(search, a, b);
}

static void
try_lines(struct search *search)
{
	for (size_t since = 0; since + 1 < search->count; since++) {
		struct fit fit = fit_rises(&search->bends, 0, 0, since);
		fit.score += price(1);
		take_leak(search, fit, since);
	}
	for (size_t from = 0; from + 1 < search->count; from += search->step)
		for (size_t to = from; to + 1 < search->count; to += search->step) {
			try_ended(search, from, to);
			try_two(search, from, to);
		}
	if (search->step == 1)
		return;
	try_near(search, search->ended_from, search->models->until, try_ended);
	try_near(search, search->two_to, search->two_since, try_two);
}

// A line beside a jump.
static void
try_jump(struct search *search, size_t at, size_t since)
{
	struct fit fit = fit_jump(&search->bends, at, since);

	fit.score += price(2);
	if (fit.other > 0)
		take_leak(search, fit, since);
}

static void
try_curve(struct search *search, const double *at)
{
	struct fit_shape curve = fit_shape_of(search->bends.series, at);
	struct fit fit = fit_shapes(search->bends.series, &curve, 1, NULL, 1);

	fit.score += price(1) + MODELS_DOUBT;
	if (fit.slope > 0)
		search->curve = fmin(search->curve, fit.score);
}

static void
try_curves(struct search *search)
{
	const double *times = search->bends.series->times;
	double at[FIT_MAX];

	for (int i = 0; i < CURVES; i++) {
		double constant = shortest * pow(longest / shortest, i / (CURVES - 1.0));
		for (size_t k = 0; k < search->count; k++)
			at[k] = 1 - exp(-times[k] / constant);
		try_curve(search, at);
		for (size_t k = 0; k < search->count; k++)
			at[k] = log(1 + times[k] / constant);
		try_curve(search, at);
	}
}

// Growth that begins later needs positive evidence. Else it began before, and only became clearer.
static void
find_beginning(const struct search *search, struct models *models)
{
	for (size_t i = 0; i < models->since; i++)
		if (search->leaks[i].score <= models->leak.score + MODELS_DOUBT)
			models->since = i;
	models->leak = search->leaks[models->since];
}

// Sets since when the series may leak: one that began then is more probable than anything else, too.
static void
find_seen(const struct search *search, double leak, struct models *models)
{
	models->seen = models->since;
	for (size_t i = models->since; i-- > 0;)
		if (search->leaks[i].score - leak < fmin(models->odds, very_strong))
			models->seen = i;
}

// The leak may as well have begun elsewhere, if that fits nearly as well.
static void
find_interval(const struct search *search, struct models *models)
{
	models->slope_low = INFINITY;
	models->slope_high = 0;
	for (size_t i = 0; i < search->count; i++) {
		const struct fit *leak = &search->leaks[i];
		if (leak->score > models->leak.score + nearly)
			continue;
		double reach = sqrt(nearly) * leak->error;
		models->slope_low = fmin(models->slope_low, leak->slope - reach);
		models->slope_high = fmax(models->slope_high, leak->slope + reach);
		// A leak begins between two values.
		if (i > 0 && search->leaks[i - 1].slope > 0)
			models->slope_low = fmin(models->slope_low, search->leaks[i - 1].slope);
		models->slope_high = fmax(models->slope_high, search->leaks[i + 1].slope);
	}
}

// Returns what the values' order adds to a level's score, as twice the logarithm of odds. Noise that keeps a
// share of itself orders values, too. (Hamed and Rao, "A modified Mann-Kendall trend test for autocorrelated
// data", Journal of Hydrology 204 (1998).) A share is estimated too low from few values.
static double
evidence_of_order(double order, double kept, double count)
{
	kept = fmin(kept + (1 + 4 * kept) / count, 1);
	double evidence = order * order * (1 - kept) / (1 + kept) - price(1);

	return fmax(-MODELS_DOUBT, fmin(evidence, MODELS_DOUBT));
}

// Sets what the best scores tell. Whether the leak is best is asked without the odds of events.
static void
compare(double leak, double level, double curve, double ended, double jumps, struct models *models)
{
	double others = fmin(fmin(level, jumps), fmin(curve, ended));

	models->odds = others - leak;
	models->gain = level - fmin(others, leak);
	models->curve = curve;
	models->ended = ended;
	models->slows = others == curve && models->odds <= 0;
	models->has_ended = others == ended && models->odds <= 0;
	models->is_best = leak - price(1) < fmin(fmin(level, jumps), fmin(curve, ended) - price(1));
}

// Sets models to those of rises that are counted. Of a leak that is brief nothing can be told yet.
static void
take_counted(const struct fit_series *series, const struct models_counted *counted, struct models *models)
{
	bool is_late = series->times[counted->since] > 1 - MODELS_BRIEF;
	double fill = price(1) + MODELS_DOUBT, reach = sqrt(nearly) * counted->leak.error;

	*models = (struct models){.is_counted = true, .leak = counted->leak, .since = counted->since,
		.seen = counted->since, .until = counted->until, .slope_low = counted->leak.slope - reach,
		.slope_high = counted->leak.slope + reach};
	models->leak.score += price(1);
	compare(models->leak.score, counted->level, counted->curve + fill, counted->ended + fill, INFINITY,
		models);
	if (is_late)
		models->odds = fmin(models->odds, 0);
}

void
models_fit(const struct fit_series *series, size_t scale, double order, struct models *models)
{
	struct search search;
	struct models_counted counted;

	if (models_count(series, &counted)) {
		take_counted(series, &counted, models);
		return;
	}
	*models = (struct models){.leak.score = INFINITY};
	for (size_t i = 0; i <= series->count; i++)
		search.leaks[i] = models->leak;
	search.count = series->count;
	search.models = models;
	search.curve = search.ended = search.two = INFINITY;
	search.ended_from = search.two_to = search.two_since = 0;
	search.step = (series->count + COARSE - 1) / COARSE;
	search.seen = TREND_LEAST / scale > SEEN ? TREND_LEAST / scale : SEEN;
	fit_bends_prepare(&search.bends, series);
	find_waits(&search);
	try_lines(&search);
	for (size_t at = 1; at + 1 < series->count; at++) {
		try_jump(&search, at, 0);
		try_jump(&search, at, at);
	}
	try_curves(&search);
	double leak = models->leak.score;
	find_beginning(&search, models);
	find_interval(&search, models);
	double level = fit_shapes(series, NULL, 0, NULL, 0).score;
	if (models->leak.score < INFINITY)
		level += evidence_of_order(order, models->leak.kept, (double)series->count);
	compare(leak, level, search.curve, search.ended, fit_jumps(series).score, models);
	find_seen(&search, leak, models);
}
