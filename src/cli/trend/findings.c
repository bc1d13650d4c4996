// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "trend/finding.h"
#include "trend/findings.h"

// Growth of resident memory by fewer bytes does not count, since the kernel counts it in batches.
static const double least_of_memory = 1 << 18;

// A leak is STANDS_BEFORE up to this many times its rate in the release before.
static const double as_before = 1.1;

// Growth that cannot be judged matters if it is more than this share of all.
static const double a_share = 0.2;

static bool
is_leak(const struct finding *finding)
{
	return verdict_is_leak(finding->trend.verdict);
}

static int
by_rank(const void *left, const void *right)
{
	const struct finding *a = left;
	const struct finding *b = right;
	bool is_a = is_leak(a), is_b = is_leak(b);

	if (is_a != is_b)
		return is_a ? -1 : 1;
	if (is_a && a->standing != b->standing)
		return a->standing < b->standing ? -1 : 1;
	if (is_a && a->trend.slope != b->trend.slope)
		return a->trend.slope > b->trend.slope ? -1 : 1;
	if (a->trend.verdict != b->trend.verdict)
		return a->trend.verdict < b->trend.verdict ? -1 : 1;
	double range_a = a->highest - a->lowest, range_b = b->highest - b->lowest;
	if (range_a != range_b)
		return range_a > range_b ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static bool
is_leak_or_unseen(const struct finding *finding)
{
	return is_leak(finding) || unseen_is(finding);
}

// Sets growth_of_all: the process's growth since the first leak of the strongest standing began.
static void
measure_all(struct findings *findings, struct history *history)
{
	struct trend_point points[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);
	enum standing first = 0;

	while (first + 1 < STANDINGS && findings->leaks[first].count == 0)
		first++;
	findings->growth_of_all = finding_growth_since(points, count, findings->leaks[first].began);
}

// Sets STANDS_LITTLE for leaks that are little beside the process's growth. Each must be below
// `share` of the process's growth since that leak began, and their sum below ten times that share. An
// example is a program's bookkeeping beside a leak.
static void
pass_over_little(struct findings *findings, struct history *history, double share)
{
	struct trend_point live[TREND_MAX];
	struct finding **little = memory_get(findings->count, sizeof(struct finding *));
	size_t points = history_gauge(history, GAUGE_LIVE, live);
	size_t count = 0;
	double sum = 0, whole = 0, unseen[TREND_MAX];

	// Sources of VERDICT_UNSEEN may hold less than the log says. They must not make leaks look
	// small, so they are subtracted from the process's growth.
	findings_sum_floors(findings, history, live, points, unseen, unseen_is);
	for (size_t i = 0; i < points; i++)
		live[i].floor -= unseen[i];
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->sources[i];
		if (!is_leak(finding) || (finding->standing != STANDS && !finding_is_early(finding)))
			continue;
		double grew = finding_growth_since(live, points, finding->began);
		if (finding->trend.growth >= share * grew)
			continue;
		little[count++] = finding;
		sum += finding->trend.growth;
		whole = fmax(whole, grew);
	}
	for (size_t i = 0; i < count && sum * SHARE_HARDLY < share * whole; i++)
		little[i]->standing = STANDS_LITTLE;
	free(little);
}

static void
sum_leaks(struct findings *findings, const struct history_span *span, double min_time)
{
	// Each window so far took its share of the time.
	double windows = fmax((double)span->windows, 1);

	findings->ask_again = windows >= TREND_LEAST ? INFINITY
		: fmax((double)span->duration * TREND_LEAST / windows, min_time);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		if (!is_leak(finding))
			continue;
		// findings_leaks() only says how many leaks there are: leaks must be the first elements.
		ASSERT(i == 0 || (is_leak(finding - 1) && finding[-1].standing <= finding->standing));
		struct leak_sum *sum = &findings->leaks[finding->standing];
		sum->slope += finding->trend.slope;
		sum->growth += finding->trend.growth;
		if (sum->count == 0 || finding->began < sum->began)
			sum->began = finding->began;
		sum->grew = fmax(sum->grew, finding->grew);
		if (finding_is_early(finding))
			findings->ask_again = fmin(findings->ask_again, finding->ask_again);
		sum->seen = fmax(sum->seen, finding->grew - finding->began - finding->unseen);
		sum->known = fmax(sum->known, finding->known);
		sum->went_without += finding->went_without;
		sum->count++;
		findings->rest_leaks |= finding->source->kind == SOURCE_REST;
		sum->mapped += finding->source->is_mapped;
		sum->mapped_slope += finding->source->is_mapped ? finding->trend.slope : 0;
		if (!finding_is_held(finding))
			continue;
		sum->held++;
		sum->held_slope += finding->trend.slope;
		sum->held_growth += finding->trend.growth;
	}
	static const enum gauge gauges[] = {GAUGE_LIVE, GAUGE_OUTSIDE};
	for (size_t i = 0; i < sizeof(gauges) / sizeof(*gauges) && findings->ask_again == INFINITY; i++) {
		const struct finding *gauge = &findings->gauges[gauges[i]];
		if (is_leak(gauge) && finding_is_early(gauge))
			findings->ask_again = gauge->ask_again;
	}
}

bool
finding_is_held(const struct finding *finding)
{
	return finding->held > 0 && finding->held >= (1 - SHARE_HARDLY) * finding->trend.growth;
}

// Returns the bytes of the finding's growth that were surely freed at exit. The bytes that the
// source still has at exit may all belong to the growth. So they are subtracted.
static double
held_by(const struct finding *finding, const struct history *history)
{
	double left;
	bool is_known = history_at_exit(history, finding->number, &left);

	return is_known ? fmax(finding->trend.growth - left, 0) : 0;
}

// It is too early to call live bytes a leak if it is for sources that have half of its growth since then.
static void
wait_for_sources(struct findings *findings, struct history *history)
{
	struct finding *live = &findings->gauges[GAUGE_LIVE];
	struct trend_point points[TREND_MAX];
	double sum = 0;

	if (!verdict_is_leak(live->trend.verdict) || live->standing != STANDS)
		return;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		if (!verdict_is_leak(finding->trend.verdict) || !finding_is_early(finding))
			continue;
		size_t count = finding_points(finding, history, points);
		sum += finding_growth_since(points, count, fmin(live->began, finding->began));
		live->ask_again = fmax(live->ask_again, finding->ask_again);
	}
	if (2 * sum > live->trend.growth)
		live->standing = STANDS_BRIEF;
}

// Sets the standing of each leak, and converts its slope to the clock.
static void
weigh_all(struct findings *findings, struct history *history, const struct leaks_asked *asked)
{
	struct trend_point points[TREND_MAX];
	double leaks[TREND_MAX];
	struct history_end end;
	struct life life;
	struct evidence of = {.asked = asked, .span = history_span(history), .life = &life,
		.highest = findings->gauges[GAUGE_LIVE].highest,
		.is_sampled = history_run(history)->sampled > 0};

	size_t count = history_gauge(history, GAUGE_LIVE, points);
	findings_sum_floors(findings, history, points, count, leaks, is_leak_or_unseen);
	evidence_live(history, points, leaks, count, &life);
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->sources[i];
		if (!is_leak(finding))
			continue;
		count = finding_points(finding, history, points);
		evidence_weigh(&of, finding, points, count,
			history_end(history, finding->number, &end) ? &end : NULL);
		finding->held = held_by(finding, history);
	}
	for (enum gauge i = 0; i < GAUGES_JUDGED; i++) {
		if (!is_leak(&findings->gauges[i]))
			continue;
		count = history_gauge(history, i, points);
		evidence_weigh(&of, &findings->gauges[i], points, count,
			history_gauge_end(history, i, &end) ? &end : NULL);
	}
	wait_for_sources(findings, history);
}

// Sets STANDS_BEFORE for leaks that are not faster than in the release before.
static void
compare(struct findings *findings, const struct leaks_asked *asked)
{
	for (size_t i = 0; asked->before && i < findings->count; i++) {
		struct finding *finding = &findings->sources[i];
		if (!is_leak(finding))
			continue;
		struct work_rate before = asked->before(finding->source);
		if (finding->by_work.rate > 0)
			finding->before = before.rate / finding->by_work.rate * finding->trend.slope;
		if (finding->standing == STANDS && before.high > 0
				&& finding->by_work.low <= before.high * as_before)
			finding->standing = STANDS_BEFORE;
	}
}

// Returns true if the source is shown as a leak: it leaks, and its standing is not STANDS_LITTLE.
static bool
is_told(const struct findings *findings, const struct source *source)
{
	for (size_t i = 0; i < findings_leaks(findings); i++)
		if (findings->sources[i].source == source
				&& findings->sources[i].standing != STANDS_LITTLE)
			return true;
	return false;
}

// Returns true if live bytes grew by little of this growth in the second half of the time.
static bool
came_early(const struct trend_point *points, size_t count, const struct history_span *span, double growth)
{
	double half = (double)span->duration / 2;
	size_t at = 0;

	while (at + 1 < count && points[at + 1].clock <= half)
		at++;
	return span->has_times && points[count - 1].floor - points[at].floor <= SHARE_HARDLY * growth;
}

// Sets `growth` and `growth_untold`. `told` is the growth of all judged sources. The rest of the
// process's growth belongs to sources that the log shows seldom or never. If only snapshots at the
// log's start left out changed sources, or growth came early, that rest came in the start. Then it
// does not count.
static void
measure_untold(struct findings *findings, struct history *history, double told)
{
	struct history_span span = history_span(history);
	struct trend_point points[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);

	if (count == 0)
		return;
	findings->growth = points[count - 1].floor - points[0].floor;
	double untold = fmax(findings->growth - told, 0);
	if (!history_hides_at_start(history) && !came_early(points, count, &span, untold))
		findings->growth_untold = untold;
}

// Returns true if the rest of all sources leaks, and has much of the growth of the process, live[],
// since then.
static bool
rest_matters(const struct finding *rest, const struct trend_point *live, size_t count)
{
	double grew = is_leak(rest) ? finding_growth_since(live, count, rest->began) : 0;

	return grew > 0 && rest->trend.growth > a_share * grew;
}

// Leaves the rest out, the last source, unless it surely leaks: of other sources nobody needs the sum.
static void
leave_out_rest(struct findings *findings)
{
	if (findings->count == 0)
		return;
	const struct finding *last = &findings->sources[findings->count - 1];
	if (last->source->kind != SOURCE_REST || (is_leak(last) && last->standing == STANDS))
		return;
	findings->of_verdict[last->trend.verdict]--;
	findings->count--;
}

void
findings_make(struct findings *findings, struct history *history,
	const struct leaks_asked *asked)
{
	if (asked->place_of)
		history_join(history, asked->wanted, asked->place_of);
	size_t sources = history_sources(history);
	struct history_span span = history_span(history);
	struct trend_point live[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, live);
	bool is_its_work = finding_is_its_work(live, count);
	double told = 0;
	size_t most;

	*findings = (struct findings){.sources = memory_get(sources + 1, sizeof(struct finding))};
	for (size_t i = 0; i < sources; i++) {
		struct finding *finding = &findings->sources[findings->count];
		finding->number = i;
		finding->source = history_source(history, i);
		history_joined(history, i, &finding->sources, &most);
		if (asked->wanted && !asked->wanted(finding->source)) {
			findings->left_out++;
			continue;
		}
		double known = finding_judge(finding, history, &span, is_its_work, asked->least);
		double unseen = unseen_doubt(finding, history, asked->least);
		if (finding->source->kind == SOURCE_REST && !rest_matters(finding, live, count))
			continue;
		told += finding->source->kind == SOURCE_REST ? 0 : unseen > 0 ? unseen : known;
		findings->unseen += unseen > 0;
		findings->growth_unseen += unseen;
		findings->of_verdict[finding->trend.verdict]++;
		findings->count++;
	}
	for (int i = 0; i < GAUGES_JUDGED; i++)
		finding_judge_gauge(&findings->gauges[i], history, (enum gauge)i,
			i == GAUGE_LIVE ? asked->least : least_of_memory);
	unseen_doubt_live(findings, history, asked->least);
	findings->outside = outside_since(history, findings->gauges);
	weigh_all(findings, history, asked);
	leave_out_rest(findings);
	if (span.has_times)
		pass_over_little(findings, history, asked->min_share / 100);
	compare(findings, asked);
	qsort(findings->sources, findings->count, sizeof(struct finding), by_rank);
	sum_leaks(findings, &span, asked->min_time);
	if (!span.has_times || span.is_over || findings->ask_again == INFINITY)
		findings->ask_again = 0;
	measure_all(findings, history);
	measure_untold(findings, history, told);
	if ((double)span.duration >= asked->min_time)
		findings->burst = burst_find(history, asked->least);
	const struct source *new = findings->burst.source;
	if (new && (new->is_unseen || is_told(findings, new)))
		findings->burst = (struct burst){0};
}

// Returns true if live bytes still grow, or may still grow.
static bool
may_grow(const struct finding *live)
{
	enum verdict verdict = live->trend.verdict;

	if (is_leak(live))
		return !finding_is_early(live) && live->standing != STANDS_STILL;
	return verdict == VERDICT_SLOWS || verdict == VERDICT_SHORT;
}

bool
findings_hide_growth(const struct findings *findings)
{
	if (!may_grow(&findings->gauges[GAUGE_LIVE]))
		return false;
	return findings->left_out == 0 && findings->growth_untold > a_share * findings->growth
		&& findings->growth > SHARE_SOME * findings->gauges[GAUGE_LIVE].highest;
}

bool
findings_memory_grows(const struct findings *findings, enum gauge gauge, double min_time)
{
	const struct finding *finding = &findings->gauges[gauge];

	if (!is_leak(finding) || finding->standing == STANDS_STARTING)
		return false;
	// Growth that ended after less than min_time is what a process builds up as it starts.
	return finding->standing != STANDS_STILL || finding->grew - finding->began >= min_time;
}

size_t
findings_leaks(const struct findings *findings)
{
	size_t count = 0;
	for (enum standing i = 0; i < STANDINGS; i++)
		count += findings->leaks[i].count;
	ASSERT(count <= findings->count);
	return count;
}

void
findings_free(struct findings *findings)
{
	free(findings->sources);
}
