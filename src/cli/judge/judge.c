// SPDX-License-Identifier: BSD-2-Clause
// A series is looked at in several views: the means of its windows, and the floors of ever longer windows,
// which teeth do not reach. The view counts that tells most: in which a level is least probable.

#include <math.h>

#include "judge/judge.h"
#include "judge/models.h"
#include "judge/view.h"

// Windows of floors are joined by 1, 2, 4 and 8. Each view is one more chance for an error, so the odds of
// these must be better by their number (Bonferroni).
enum { VIEWS = 4 };
// Fewest values of a view of floors: what was before a rise, and the rise.
enum { FLOORS_LEAST = 2 * TREND_LEAST };

// Twice the logarithm of the odds falls by this, times the logarithm of the blocks allocated for each that
// is kept. More than so many tell nothing more.
static const double turnover = 0.3, turned_over = 1e4;
// A tooth of at most so many snapshots may seem to rise by where these fall.
static const double few_snapshots = 3;
// Quantile of the normal distribution: one of 20 series without a trend exceeds it.
static const double quantile = 1.645;

// Returns by how many deviations more pairs of values rise than chance makes (Mann 1945).
static double
order_of(const double *values, size_t count)
{
	double n = (double)count, score = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			score += (values[i] > values[k]) - (values[i] < values[k]);
	return score / sqrt(n * (n - 1) * (2 * n + 5) / 18);
}

// Returns the median change of the mean from window to window.
static double
noise_of(const struct trend_point *points, size_t count)
{
	double changes[FIT_MAX];

	for (size_t i = 0; i + 1 < count; i++)
		changes[i] = fabs(points[i + 1].mean - points[i].mean);
	return kendall_median(changes, count - 1);
}

// Returns true if the last window is back where growth began, or nearly: its mean lies below each of the
// three before by half of the growth, and by more than noise allows.
static bool
has_fallen(const struct view *view, double growth, double noise)
{
	const struct trend_point *points = view->points, *last = &points[view->count - 1];
	double off = fmin(fmin(last[-1].mean, last[-2].mean), last[-3].mean) - last->mean;

	noise *= sqrt(fmax(points[view->count / 2].told / fmax(last->told, 1), 1));
	return off > growth / 2 && off > VIEW_OUTLIER * noise;
}

// Returns true if a leak is possible whose slope is no error of a season's, and that has not fallen back.
// Teeth of a few snapshots each may seem to rise, as each snapshot shows them a little later. Then windows
// differ by more from one to the next than they grow in all.
static bool
grows(const struct view *view, const struct models *models)
{
	const size_t *first = view->first;
	double slope = models->leak.slope * view->unit;

	if (models->leak.score == INFINITY || slope <= view->error)
		return false;
	if (view->is_calm)
		return true;
	const struct trend_point *points = view->points;
	double growth = slope * (points[first[view->series.count - 1]].time - points[first[models->since]].time);
	double noise = noise_of(points, view->count);
	bool may_be_teeth = points[view->count / 2].told <= few_snapshots && growth <= noise;
	return !may_be_teeth && !has_fallen(view, growth, noise);
}

// Returns true if growth ends above all that was there before it began.
static bool
is_news(const struct view *view, const struct models *models)
{
	double before = -INFINITY;

	if (view->is_calm || models->since == 0)
		return true;
	for (size_t i = view->first[0]; i < view->first[models->since]; i++)
		before = fmax(before, view->points[i].peak);
	return fmax(view->points[view->count - 1].floor, view->points[view->count - 2].floor) > before;
}

// Returns true if the last value is nearer to the first than to the highest.
static bool
is_given_back(const struct view *view)
{
	const double *values = view->series.values;
	double high = values[0];

	for (size_t i = 1; i < view->series.count; i++)
		high = fmax(high, values[i]);
	return values[view->series.count - 1] < (values[0] + high) / 2;
}

static enum judge_verdict
verdict_of(const struct view *view, const struct models *models, double odds)
{
	bool is_rise = grows(view, models), is_new = is_rise && is_news(view, models);

	if (odds > 0 && is_rise)
		return is_new ? JUDGE_LEAKS : JUDGE_TOO_EARLY;
	// Without the odds against a leak, it would be the best explanation.
	if (models->is_best && is_new)
		return JUDGE_TOO_EARLY;
	if (models->slows)
		return JUDGE_SLOWS;
	if (!models->has_ended)
		return JUDGE_NO_LEAK;
	if (models->until + TREND_LEAST <= view->series.count)
		return JUDGE_STOPPED;
	return is_given_back(view) ? JUDGE_NO_LEAK : JUDGE_TOO_EARLY;
}

// A pool frees nearly all blocks that it allocates. The fewer a source keeps, the less it resembles a leak.
static double
price_of_turnover(const struct view *view, size_t since)
{
	const struct trend_point *from = &view->points[view->first[since]];
	const struct trend_point *last = &view->points[view->count - 1];
	double made = last->allocs - from->allocs, kept = fmax(last->blocks - from->blocks, 1);

	return made > kept ? turnover * fmin(log(made / kept), log(turned_over)) : 0;
}

static void
take_rate(const struct view *view, const struct models *models, struct judgement *judgement)
{
	judgement->since = view->first[models->since];
	judgement->seen = view->first[models->seen];
	judgement->rate = models->leak.slope * view->unit;
	judgement->rate_low = fmax(models->slope_low * view->unit - view->error, 0);
	judgement->rate_high = models->slope_high * view->unit + view->error;
}

// Judges a view. Returns what it tells: the evidence against a level, or 0 if it does not rise.
static double
judge_view(struct view *view, bool is_later, struct judgement *judgement)
{
	struct models models;
	double order = order_of(view->series.values, view->series.count);

	if (order < quantile)
		return 0;
	models_fit(&view->series, view->scale, order, &models);
	view->is_whole = models.is_counted;
	double odds = models.odds - (is_later ? 2 * log(VIEWS) : 0);
	if (models.leak.score < INFINITY)
		odds -= price_of_turnover(view, models.since);
	*judgement = (struct judgement){.verdict = verdict_of(view, &models, odds), .is_seasonal = view->is_calm,
		.certainty = 1 / (1 + exp(-odds / 2))};
	if (models.leak.score < INFINITY)
		take_rate(view, &models, judgement);
	return models.gain;
}

// A start may take more than is ever there again. Returns the first point after it.
static size_t
end_of_start(const struct trend_point *points, size_t count)
{
	size_t start = (size_t)(MODELS_BRIEF * (double)count);
	double before = 0, after = 0;

	for (size_t i = 0; i < count; i++)
		if (i < start)
			before = fmax(before, points[i].floor);
		else
			after = fmax(after, points[i].peak);
	return before > after ? start : 0;
}

// A source may wait at the end. If that is brief it tells nothing. Returns the number of points before.
static size_t
without_wait(const struct trend_point *points, size_t count)
{
	double start = points[0].time, brief = MODELS_BRIEF * (points[count - 1].time - start);
	size_t last = count - 1;

	while (last > 1 && points[last - 1].floor == points[count - 1].peak
			&& points[last - 1].peak == points[count - 1].floor)
		last--;
	bool is_brief = points[count - 1].time - points[last].time <= brief;
	return is_brief && last + 1 >= TREND_LEAST ? last + 1 : count;
}

struct judgement
judge_series(const struct trend_point *points, size_t count, double least)
{
	struct judgement judgement = {.verdict = JUDGE_NO_LEAK}, other;
	size_t from = end_of_start(points, count);
	struct view view;

	if (count < TREND_LEAST)
		return (struct judgement){.verdict = JUDGE_TOO_EARLY};
	count = without_wait(points, count);
	// With a season, only what is left without it tells anything.
	if (!view_take(points, count, from, 0, least, &view) || !view_calm(&view))
		return judgement;
	double most = judge_view(&view, false, &judgement);
	if (view.is_calm || view.is_whole)
		return judgement;
	for (size_t scale = view.is_exact ? 2 : 1; scale < 1 << VIEWS; scale *= 2) {
		if ((scale > 1 && (count - from) / scale < FLOORS_LEAST)
				|| !view_take(points, count, from, scale, least, &view))
			continue;
		double more = judge_view(&view, true, &other);
		if (more <= most + 2 * log(VIEWS))
			continue;
		most = more;
		judgement = other;
	}
	return judgement;
}

// The slope of Theil and Sen, which a burst does not change.
static double
slope_of(const struct trend_point *points, size_t count)
{
	double times[TREND_MAX], floors[TREND_MAX];

	for (size_t i = 0; i < count; i++) {
		times[i] = points[i].time;
		floors[i] = points[i].floor;
	}
	return kendall_slope(times, floors, count);
}

bool
judge_goes_by_clock(const struct trend_point *points, size_t count, bool is_leak,
	struct judgement *judgement)
{
	struct models by_work, by_clock;
	struct trend_point clocks[TREND_MAX];
	struct view view;

	if (count < TREND_LEAST || !view_take(points, count, 0, 1, 0, &view))
		return false;
	double order = order_of(view.series.values, view.series.count);
	if (order < quantile)
		return false;
	struct view work = view;
	for (size_t i = 0; i < count; i++) {
		clocks[i] = points[i];
		clocks[i].time = points[i].clock;
	}
	if (!view_take(clocks, count, 0, 1, 0, &view))
		return false;
	models_fit(&view.series, 1, order, &by_clock);
	double odds = by_clock.odds - price_of_turnover(&view, by_clock.since);
	if (odds <= 0 || !grows(&view, &by_clock) || !is_news(&view, &by_clock))
		return false;
	models_fit(&work.series, 1, order, &by_work);
	size_t until = work.first[by_work.until];
	// An end that is brief by the clock tells nothing.
	bool is_brief = until + TREND_LEAST > count || clocks[until].time - clocks[0].time
		> (1 - MODELS_BRIEF) * (clocks[count - 1].time - clocks[0].time);
	double others = is_brief ? by_work.curve : fmin(by_work.curve, by_work.ended);
	double later = is_leak && by_clock.since < by_work.since ? MODELS_DOUBT : 0;
	// Levels and jumps fit as well by the clock as by work.
	if (by_clock.leak.score + MODELS_DOUBT > fmin(others, by_work.leak.score + later))
		return false;
	*judgement = (struct judgement){.verdict = JUDGE_LEAKS, .certainty = 1 / (1 + exp(-odds / 2))};
	take_rate(&view, &by_clock, judgement);
	double slope = slope_of(clocks + judgement->since, count - judgement->since);
	judgement->rate = fmin(fmax(slope, judgement->rate_low), judgement->rate_high);
	return true;
}
