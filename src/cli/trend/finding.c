// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "judge/judge.h"
#include "trend/finding.h"
#include "trend/trend.h"
#include "trend/verdict.h"

// In a sampled log, a rise does not count if sampling alone makes one with more than this chance.
static const double by_sampling = 0.005;

// Returns the standard error that sampling causes in the source's growth between two points. The
// sizes of single blocks are not known. So all blocks are assumed to have the mean size at the
// later point.
static double
sampling_error(const struct run *run, const struct trend_point *from, const struct trend_point *to)
{
	double size = to->blocks > 0 ? to->floor / to->blocks : 0;
	double allocs = to->allocs - from->allocs;
	double frees = fmax(allocs - (to->blocks - from->blocks), 0);
	struct counts before = {.live = (uint64_t)from->floor, .blocks = (uint64_t)from->blocks};
	struct counts now = {.live = (uint64_t)to->floor, .blocks = (uint64_t)to->blocks,
		.alloc = (uint64_t)(allocs * size), .allocs = (uint64_t)allocs,
		.free = (uint64_t)(frees * size), .frees = (uint64_t)frees};

	return sqrt(certainty_variance_of_change(run, &before, &now));
}

// Takes into account the error of sampling, which the floors' changes do not show. The error widens
// the slope's interval. If sampling alone would make such a rise with a chance above by_sampling,
// the verdict becomes VERDICT_SHORT.
static void
count_sampling(struct trend *trend, const struct run *run, const struct trend_point *points,
	size_t count)
{
	if (run->sampled == 0 || !verdict_is_leak(trend->verdict))
		return;
	const struct trend_point *from = &points[trend->onset];
	const struct trend_point *to = &points[count - 1];
	double error = sampling_error(run, from, to);
	double chance = error > 0 ? erfc(trend->growth / error / sqrt(2)) / 2 : 0;
	double of_slope = KENDALL_TWO_SIDED * error / (to->time - from->time);

	trend->slope_low = trend->slope - hypot(trend->slope - trend->slope_low, of_slope);
	trend->slope_high = trend->slope + hypot(trend->slope_high - trend->slope, of_slope);
	trend->confidence = fmin(trend->confidence, 1 - chance);
	if (chance > by_sampling)
		trend->verdict = VERDICT_SHORT;
}

// Returns the struct run that says whether the finding's values are sampled. A process's mapped
// memory has a struct run of its own, and is never sampled.
static const struct run *
run_of(const struct finding *finding, const struct history *history)
{
	const struct run *run = history_run(history);
	return finding->source ? run_of_source(run, finding->source) : run;
}

bool
finding_is_its_work(const struct trend_point *live, size_t count)
{
	if (count < TREND_LEAST)
		return false;
	return live[count - 1].floor - live[0].floor
		>= (1 - SHARE_SOME) * (live[count - 1].time - live[0].time);
}

// Tests whether a leak's growth slows down by the clock. Called if finding_is_its_work() is true
// for the process. If such a process fills a cache, the cache grows evenly by work. By the clock
// the cache slows down: few of its rises come in the later half of the clock time in which it
// rises. In this case, the verdict becomes VERDICT_SLOWS. The test is Laplace's trend test for a
// series of events, made as a sign test.
static void
ask_clock(struct trend *trend, const struct trend_point *points, size_t count)
{
	const struct trend_point *from = &points[trend->onset], *last = &points[count - 1];
	unsigned rises_early = 0, rises_late = 0;
	double late = 0;

	if (!verdict_is_leak(trend->verdict))
		return;
	while (last > from && last->floor <= last[-1].floor)
		last--;
	double middle = (from->clock + last->clock) / 2;
	for (const struct trend_point *point = from + 1; point <= last; point++) {
		double rise = point->floor - point[-1].floor;
		bool is_late = point->clock >= middle;
		late += is_late ? rise : 0;
		rises_late += rise > 0 && is_late;
		rises_early += rise > 0 && !is_late;
	}
	if (late < SHARE_SOME * (last->floor - from->floor)
			&& kendall_sign_test(rises_early, rises_late) < TREND_NO_CHANCE)
		trend->verdict = VERDICT_SLOWS;
}

// Sets `began`, `seen` and `allocs` of the finding. `points` must be the points by which the finding was
// judged.
static void
measure_onset(struct finding *finding, const struct trend_point *points, size_t count)
{
	ASSERT(finding->trend.onset < count);
	finding->began = points[finding->trend.onset].clock;
	finding->seen = points[finding->trend.seen].clock;
	finding->allocs = points[count - 1].allocs - points[finding->trend.onset].allocs;
}

static void
judge(struct finding *finding, const struct history *history, const struct trend_point *points,
	size_t count, double least)
{
	finding->trend = trend_judge(points, count, least);
	if (count == 0)
		return;
	count_sampling(&finding->trend, run_of(finding, history), points, count);
	measure_onset(finding, points, count);
	finding->live = points[count - 1].floor;
	finding->lowest = points[0].floor;
	for (size_t i = 0; i < count; i++) {
		finding->lowest = fmin(finding->lowest, points[i].floor);
		finding->highest = fmax(finding->highest, points[i].peak);
	}
	for (size_t i = 0; i < count; i++)
		if (points[i].floor >= (finding->lowest + finding->highest) / 2)
			finding->high = points[i].clock;
}

// Returns true if the last window does not show the source, and half of the source's growth has
// been freed by `end`. `end` is the exit, or now.
static bool
is_gone(const struct finding *finding, const struct history_span *span,
	const struct trend_point *points, size_t count, const struct history_end *end)
{
	const struct trend_point *last = &points[count - 1];
	return end && last->time < span->window
		&& end->bytes < last->floor - finding->trend.growth / 2;
}

// Returns true if the source outgrew the process's start: it ends above twice its highest peak in
// the start. The source's bytes must be known to the log's end, and in half of the spans
// (timeline.h) after the start. Then at least half of the source's memory came after the start.
// That excludes two other explanations. The source may allocate again what was freed during the
// start. Or it may fill the rest of a table that the start has mostly filled.
static bool
goes_beyond_start(const struct trend_point *points, size_t count, const struct trend_point *rest,
	size_t left, const struct history_span *span)
{
	const struct trend_point *last = &rest[left - 1];

	if (last->time < span->window || left * 2 < span->behind_start)
		return false;
	for (size_t i = 0; i < count && points[i].time < rest[0].time; i++)
		if (points[i].peak >= last->floor / 2)
			return false;
	return true;
}

static void
judge_behind_start(struct finding *finding, struct history *history,
	const struct history_span *span, const struct trend_point *points, size_t count, double least)
{
	struct trend_point rest[TREND_MAX];
	size_t left = history_points_behind_start(history, finding->number, rest);

	if (left < TREND_LEAST || !goes_beyond_start(points, count, rest, left, span))
		return;
	struct trend trend = trend_judge(rest, left, least);
	count_sampling(&trend, run_of(finding, history), rest, left);
	if (!verdict_is_leak(trend.verdict))
		return;
	finding->trend = trend;
	finding->behind_start = true;
	measure_onset(finding, rest, left);
}

// Returns true if floors have fallen by half of this growth or more since that time, to below half of what an
// even growth has by then: teeth, which windows of equal clock time may not show.
static bool
has_teeth(const struct trend_point *points, size_t count, double since, double growth)
{
	const struct trend_point *first = NULL, *last = &points[count - 1];
	double high = 0;

	for (size_t i = 0; i < count; i++) {
		if (points[i].clock < since)
			continue;
		first = first ? first : &points[i];
		high = fmax(high, points[i].floor);
		double even = growth * (points[i].clock - since) / (last->clock - since);
		if (high - points[i].floor >= SHARE_MOST * growth
				&& points[i].floor - first->floor < SHARE_MOST * even)
			return true;
	}
	return false;
}

// Judges the source in windows of equal clock time. If work comes in bursts, a source that grows
// evenly by the clock hardly grows in a burst. In windows of equal work, such a leak seems to stop
// in each burst, and may not be recognized.
static void
judge_by_clock(struct finding *finding, struct history *history, const struct history_span *span,
	const struct trend_point *by_work, size_t windows, double least)
{
	struct trend_point points[TREND_MAX];
	struct judgement by_clock;
	size_t count = history_points_by_clock(history, finding->number, points);

	// If the log stops showing the source before its end, the source's memory may have been freed.
	if (count < 3 * TREND_LEAST / 2
			|| points[count - 1].clock < (1 - SHARE_HARDLY) * (double)span->duration)
		return;
	// It takes long to judge a series. Comparing five points excludes most series that do not grow
	// all the time.
	if (points[0].floor >= points[count / 2].floor
			|| points[count / 4].floor >= points[count * 3 / 4].floor
			|| points[count / 2].floor >= points[count - 1].floor)
		return;
	if (!judge_goes_by_clock(points, count, verdict_is_leak(finding->trend.verdict), &by_clock))
		return;
	const struct trend_point *onset = &points[by_clock.since], *last = &points[count - 1];
	double by = (last->clock - onset->clock) / (last->time - onset->time);
	struct trend trend = trend_of(&by_clock, points, count);
	// By the clock it goes on until the log's end.
	double growth = trend.slope * ((double)span->duration - onset->clock);
	trend.growth_blocks *= growth / trend.growth;
	trend.growth = growth;
	trend.slope *= by;
	trend.slope_low *= by;
	trend.slope_high *= by;
	count_sampling(&trend, run_of(finding, history), points, count);
	if (!verdict_is_leak(trend.verdict) || trend.growth < least
			|| has_teeth(by_work, windows, onset->clock, growth))
		return;
	finding->trend = trend;
	finding->behind_start = false;
	finding->by_clock = true;
	measure_onset(finding, points, count);
}

double
finding_judge(struct finding *finding, struct history *history, const struct history_span *span,
	bool is_its_work, double least)
{
	struct trend_point points[TREND_MAX];
	struct history_end end;
	size_t count = history_points(history, finding->number, points);

	judge(finding, history, points, count, least);
	if (is_its_work && span->has_times)
		ask_clock(&finding->trend, points, count);
	if (!history_is_well_known(points, count, span))
		finding->trend.verdict = VERDICT_SELDOM;
	if (span->behind_start > 0 && !verdict_is_leak(finding->trend.verdict))
		judge_behind_start(finding, history, span, points, count, least);
	// A leak may have begun earlier than its growth by work shows.
	enum verdict by_work = finding->trend.verdict;
	bool is_late = !verdict_is_leak(by_work)
		|| finding->began > SHARE_SOME * (double)span->duration;
	double range = finding->highest - finding->lowest;
	bool ends_high = range >= least && finding->live - finding->lowest >= range / 2;
	if (is_late && ends_high && by_work != VERDICT_SELDOM)
		judge_by_clock(finding, history, span, points, count, least);
	if (verdict_is_leak(finding->trend.verdict) && is_gone(finding, span, points, count,
			history_end(history, finding->number, &end) ? &end : NULL))
		finding->trend.verdict = VERDICT_UP_AND_DOWN;
	bool is_known = count > 0 && finding->trend.verdict != VERDICT_SELDOM;
	return is_known ? points[count - 1].floor - points[0].floor : 0;
}

void
finding_judge_gauge(struct finding *finding, struct history *history, enum gauge gauge,
	double least)
{
	struct trend_point points[TREND_MAX];
	judge(finding, history, points, history_gauge(history, gauge, points), least);
}

size_t
finding_points(const struct finding *finding, struct history *history,
	struct trend_point *points)
{
	if (finding->by_clock)
		return history_points_by_clock(history, finding->number, points);
	return finding->behind_start
		? history_points_behind_start(history, finding->number, points)
		: history_points(history, finding->number, points);
}

// Under load the first and the last floor alone say little, so kendall_growth() uses all floors.
double
finding_growth_since(const struct trend_point *points, size_t count, double began)
{
	double times[TREND_MAX], floors[TREND_MAX];
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (left == 0 && i + 1 < count && points[i + 1].clock <= began)
			continue;
		times[left] = points[i].time;
		floors[left++] = points[i].floor;
	}
	return left < 2 ? 0 : kendall_growth(times, floors, left);
}
