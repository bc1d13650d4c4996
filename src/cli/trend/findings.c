#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "trend/findings.h"

// Of those that are called leaks the share that may be so by chance.
static const double by_chance = 0.05;

// Growth of a process's memory below that is none: the kernel counts it in batches.
static const double least_of_memory = 1 << 18;

// Where blocks are sampled, a rise that sampling alone makes more often than so is none.
static const double by_sampling = 0.005;

// The standard error of what a sampled source has grown by from one point to another. It is not
// known what these blocks were: they count as of the size that they have in the end.
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

// Sampling noise is no part of what the floor does by itself: it widens the rate's interval, and a
// rise that it makes too often is none.
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
	double of_slope = 1.96 * error / (to->time - from->time);

	trend->slope_low = trend->slope - hypot(trend->slope - trend->slope_low, of_slope);
	trend->slope_high = trend->slope + hypot(trend->slope_high - trend->slope, of_slope);
	trend->confidence = fmin(trend->confidence, 1 - chance);
	if (chance > by_sampling)
		trend->verdict = VERDICT_SHORT;
}

// Slopes by the clock, of those by work.
static void
scale_slopes(struct trend *trend, double by)
{
	trend->slope *= by;
	trend->slope_low *= by;
	trend->slope_high *= by;
}

static void
judge(struct finding *finding, const struct history *history, const struct trend_point *points,
	size_t count, double least)
{
	finding->trend = trend_judge(points, count, least);
	if (count == 0)
		return;
	count_sampling(&finding->trend, history_run(history), points, count);
	const struct trend_point *onset = &points[finding->trend.onset];
	double lasts = points[count - 1].time - onset->time;
	finding->began = onset->clock;
	double clock = points[count - 1].clock - onset->clock;
	if (clock > 0)
		scale_slopes(&finding->trend, lasts / clock);
	finding->allocs = points[count - 1].allocs - points[finding->trend.onset].allocs;
	finding->live = points[count - 1].floor;
	finding->lowest = points[0].floor;
	finding->highest = points[0].peak;
	for (size_t i = 1; i < count; i++) {
		if (points[i].floor < finding->lowest)
			finding->lowest = points[i].floor;
		if (points[i].peak > finding->highest)
			finding->highest = points[i].peak;
	}
}

// The end is known, or nearly, and half of the time since it is known at all. A source that is
// hidden afterwards may have shrunk.
static bool
is_well_known(const struct trend_point *points, size_t count, const struct history_span *span)
{
	double duration = span->end;

	if (span->windows < TREND_LEAST)
		return true;
	if (count < TREND_LEAST || points[count - 1].time < 0.75 * duration)
		return false;
	return (double)count * duration * 2
		>= (double)span->windows * (duration - points[0].time);
}

static bool
is_leak(const struct finding *finding)
{
	return verdict_is_leak(finding->trend.verdict);
}

static double
chance_of(const struct finding *finding)
{
	return 1 - finding->trend.confidence;
}

static int
by_chance_of(const void *a, const void *b)
{
	double x = chance_of(*(struct finding *const *)a);
	double y = chance_of(*(struct finding *const *)b);
	return (x > y) - (x < y);
}

// Takes back what is to be expected by chance among so many.
static void
doubt(struct findings *findings)
{
	struct finding **leaks = memory_get(findings->count, sizeof(struct finding *));
	size_t tested = findings->count - findings->of_verdict[VERDICT_FLAT]
		- findings->of_verdict[VERDICT_SHORT] - findings->of_verdict[VERDICT_SELDOM];
	size_t count = 0;
	size_t believed = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (is_leak(&findings->sources[i]))
			leaks[count++] = &findings->sources[i];
	qsort(leaks, count, sizeof(struct finding *), by_chance_of);
	for (size_t i = 0; i < count; i++)
		if (chance_of(leaks[i]) * (double)tested <= by_chance * (double)(i + 1))
			believed = i + 1;
	for (size_t i = believed; i < count; i++) {
		findings->of_verdict[leaks[i]->trend.verdict]--;
		findings->of_verdict[VERDICT_SHORT]++;
		leaks[i]->trend.verdict = VERDICT_SHORT;
	}
	free(leaks);
}

static int
by_rank(const void *left, const void *right)
{
	const struct finding *a = left;
	const struct finding *b = right;
	bool is_a = is_leak(a), is_b = is_leak(b);

	if (is_a != is_b)
		return is_a ? -1 : 1;
	if (is_a && a->trend.slope != b->trend.slope)
		return a->trend.slope > b->trend.slope ? -1 : 1;
	if (a->trend.verdict != b->trend.verdict)
		return a->trend.verdict < b->trend.verdict ? -1 : 1;
	double range_a = a->highest - a->lowest, range_b = b->highest - b->lowest;
	if (range_a != range_b)
		return range_a > range_b ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

// What live of the process has grown by since the first leak began. Under load its two ends say
// little.
static void
measure_all(struct findings *findings, struct history *history)
{
	struct trend_point points[TREND_MAX];
	double times[TREND_MAX], floors[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		if (left == 0 && i + 1 < count
				&& points[i + 1].clock <= findings->began)
			continue;
		times[left] = points[i].time;
		floors[left++] = points[i].floor;
	}
	if (left < 2)
		return;
	findings->growth_of_all = kendall_growth(times, floors, left);
}

static void
sum_leaks(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		if (!is_leak(finding))
			break;
		findings->slope += finding->trend.slope;
		findings->growth += finding->trend.growth;
		if (i == 0 || finding->began < findings->began)
			findings->began = finding->began;
	}
}

void
findings_make(struct findings *findings, struct history *history, double least,
	bool (*wanted)(const struct source *source))
{
	struct trend_point points[TREND_MAX];
	size_t sources = history_sources(history);
	struct history_span span = history_span(history);

	*findings = (struct findings){.sources = memory_get(sources + 1, sizeof(struct finding))};
	for (size_t i = 0; i < sources; i++) {
		struct finding *finding = &findings->sources[findings->count];
		finding->number = i;
		finding->source = history_source(history, i);
		if (wanted && !wanted(finding->source)) {
			findings->left_out++;
			continue;
		}
		size_t count = history_points(history, i, points);
		judge(finding, history, points, count, least);
		if (!is_well_known(points, count, &span))
			finding->trend.verdict = VERDICT_SELDOM;
		findings->of_verdict[finding->trend.verdict]++;
		findings->count++;
	}
	for (int i = 0; i < GAUGES; i++)
		judge(&findings->gauges[i], history, points,
			history_gauge(history, (enum gauge)i, points),
			i == GAUGE_LIVE ? least : least_of_memory);
	doubt(findings);
	qsort(findings->sources, findings->count, sizeof(struct finding), by_rank);
	sum_leaks(findings);
	measure_all(findings, history);
}

size_t
findings_leaks(const struct findings *findings)
{
	return findings->of_verdict[VERDICT_LEAKS] + findings->of_verdict[VERDICT_STEPS];
}

void
findings_free(struct findings *findings)
{
	free(findings->sources);
}
