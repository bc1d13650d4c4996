// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "judge/judge.h"
#include "trend/evidence.h"
#include "trend/gc.h"

// A process that lives is young for this many times --min-time: pools and caches fill in its first
// minutes.
static const double young = 8;
// A process of ten minutes must have its answer. A start or old garbage that grew this long is a leak.
static const double patience_ms = 8 * LEAKS_MIN_TIME;
// Old garbage that is little, or of a source that frees most of its blocks, has to grow this long.
static const double garbage_most_ms = 3600e3;
// A value of the whole process is many pools at once. It is called a leak if that is as sure.
static const double whole_sure = 0.75;
// Blocks whose mean lifetime is less than this share of the work may all be recent.
static const double recent = 0.05;
// A source that made fewer allocations may be a buffer that was replaced by larger ones.
static const double few_blocks = 32;
// A collection shows if live bytes fall by SHARE_HARDLY or more. Of so many collections at least one is
// of old objects, too. Growth that survives all of them is no garbage.
static const size_t several = 3;

void
evidence_live(const struct history *history, const struct trend_point *live, const double *leaks,
	size_t count, struct life *life)
{
	double rest[TREND_MAX], high = 0, highest = 0;

	life->count = history_span(history).has_times ? count : 0;
	for (size_t i = 0, full = 0, falls = 0; i < life->count; i++) {
		rest[i] = live[i].floor - leaks[i] - (live[0].floor - leaks[0]);
		high = fmax(high, rest[i]);
		highest = fmax(highest, live[i].floor - live[0].floor);
		while (full < i && rest[full] < (1 - SHARE_SOME) * high)
			full++;
		falls += i > 0 && live[i - 1].peak - live[i].floor > SHARE_HARDLY * live[i - 1].peak;
		life->clock[i] = live[i].clock;
		life->falls[i] = falls;
		life->started[i] = history_settled(history, live[i].clock);
		// If supposed leaks have most of the growth, the rest of the growth does not show when
		// the process had started.
		if (high > highest / 2)
			life->started[i] = fmax(life->started[i], live[full].clock);
	}
}

// Returns how long the leak must grow until it is no start: until the first moment at which the start
// was over for as long as the leak had grown before. Later starts do not count.
static double
lasts_start(const struct life *life, const struct finding *finding, double min_time)
{
	double starts = 0;
	size_t seen = 0;

	for (size_t i = 0; i < life->count && life->clock[i] <= finding->grew; i++) {
		double lasts = life->clock[i] - finding->seen;
		if (lasts <= 0)
			continue;
		starts = fmin(fmax(life->started[i] - finding->seen, 0), patience_ms / 2);
		if (++seen >= TREND_LEAST && lasts >= min_time && 2 * starts <= lasts)
			break;
	}
	return 2 * starts;
}

// Returns true if the leak is small: compared to the blocks that its source allocated, and to
// `highest`, the process's highest live bytes. A source with few allocations may be a buffer that
// was replaced by a larger buffer a few times. A few replacements give no rate. So growth of such a
// source counts as small up to ten times that share.
static bool
is_small(const struct finding *finding, double share, double highest)
{
	const struct trend *trend = &finding->trend;
	bool gave_way = finding->allocs < few_blocks && trend->growth_blocks * 2 < finding->allocs;

	if (finding->allocs <= 0)
		return false;
	if (gave_way && trend->growth * SHARE_HARDLY < share * highest)
		return true;
	return trend->growth_blocks >= 0.5
		&& trend->growth_blocks < share * finding->allocs && trend->growth < share * highest;
}

// Returns true if the rise may be a garbage collector's saw-tooth: much of the process's work (bytes
// allocated and freed) came before it, and all its blocks may be recent. By Little's law, the blocks'
// mean lifetime is the number of live blocks divided by the rate of allocations. That number is at
// least the growth in blocks.
static bool
may_be_tooth(const struct finding *finding, const struct trend_point *points, size_t count)
{
	const struct trend *trend = &finding->trend;
	double whole = points[count - 1].time - points[0].time;
	double before = points[trend->onset].time - points[0].time;
	double lived = trend->growth_blocks / finding->allocs * (whole - before);

	return finding->allocs > 0 && before > SHARE_SOME * whole && lived < recent * whole;
}

static size_t
falls_by(const struct life *life, double clock)
{
	size_t falls = 0;

	for (size_t i = 0; i < life->count && life->clock[i] <= clock; i++)
		falls = life->falls[i];
	return falls;
}

// Returns how long after its onset the growth had outlasted several collections, or INFINITY. A
// collection frees some of the source's blocks, if it has few young ones. Or it frees some of all
// live bytes, which shows nothing about growth that is smaller than this share.
static double
lasts_collections(const struct evidence *of, const struct finding *finding,
	const struct trend_point *points, size_t count, bool has_young)
{
	bool is_large = finding->trend.growth >= SHARE_HARDLY * of->highest;
	size_t seen = 0;

	for (size_t i = finding->trend.seen + 1; i < count; i++) {
		double made = points[i].allocs - points[i - 1].allocs;
		double left = points[i].blocks - points[i - 1].blocks;
		bool of_source = !has_young && made > 0 && made - left > SHARE_HARDLY * made;
		bool of_all = is_large && falls_by(of->life, points[i].clock)
			> falls_by(of->life, points[i - 1].clock);
		seen += of_source || of_all;
		if (seen >= several)
			return points[i].clock - finding->seen;
	}
	return INFINITY;
}

// Returns how long the leak must grow until it is no garbage: 0 if it is none. Growth below `little`
// bytes is small.
//
// A collector frees most new objects soon. So the garbage that is still to be freed is little, or
// less than half of the blocks allocated. Objects that survive several collections are old. A
// collector looks at old objects seldom: in a small server every ten minutes, or less often.
// Between these collections, old garbage grows as a leak does, and keeps all of its blocks. In a
// process that does hardly anything after its start, the collector does not run. A collector of the
// kind GC_DOUBLED (gc.h) waits until live bytes have doubled. Before that, any memory that the
// language itself allocates may be garbage.
static double
lasts_garbage(const struct evidence *of, const struct finding *finding,
	const struct trend_point *points, size_t count)
{
	const struct trend *trend = &finding->trend;
	enum gc by = gc_of(finding->source);

	if (by == GC_NONE || (by == GC_DOUBLED && trend->growth > SHARE_MOST * of->highest))
		return 0;
	bool may_be = (by == GC_DOUBLED && gc_is_caller(finding->source))
		|| (finding->behind_start && trend->growth < SHARE_SOME * of->highest)
		|| trend->growth < of->asked->min_share / 100 * of->highest
		|| (by != GC_CIRCLES && trend->growth_blocks >= 0.5
			&& trend->growth_blocks < SHARE_MOST * finding->allocs);
	double most = may_be ? garbage_most_ms : patience_ms;
	return by == GC_NEVER ? most : fmin(most, lasts_collections(of, finding, points, count, may_be));
}

// An expiry is a fall of the floor (least live bytes of a window) in which the source frees much at once,
// as a cache does whose entries expire. Returns for how long after the last point the source may still
// have another: 0 if it had none. If it had several, the last must have freed nearly all growth since the
// one before. The clock time from one expiry to the next is limited by most_ms, and by the longest wait
// for one so far. A wait begins at the expiry before, or at the first point.
static double
lasts_expiry(const struct trend_point *points, size_t count, double most_ms)
{
	size_t falls = 0, expiries = 0, last = 0;
	double longest = 0, before = 0;

	for (size_t i = 1; i < count; i++) {
		double top = points[i - 1].floor, fall = top - points[i].floor;
		falls += fall > 0;
		if (fall < SHARE_HARDLY * top || fall <= 0)
			continue;
		// A fall right after an expiry belongs to that expiry.
		if (expiries == 0 || last + 1 < i) {
			longest = fmax(longest, points[i].clock - points[last].clock);
			before = points[last].floor + SHARE_HARDLY * (top - points[last].floor);
			expiries++;
		}
		last = i;
	}
	// If the floor falls often, the falls may be noise.
	if (expiries == 0 || (double)falls > SHARE_HARDLY * (double)count)
		return 0;
	// A cache may also leak: then the floor after the last expiry is higher than after the one before.
	if (expiries > 1 && points[last].floor > before)
		return 0;
	return fmax(fmin(longest, most_ms) - (points[count - 1].clock - points[last].clock), 0);
}

// Sets the standing, and when to ask again. Each thing that the growth may be looks like a leak for
// some time. A leak that grows for longer than each is none of them.
static void
decide(const struct evidence *of, struct finding *finding, const struct trend_point *points,
	size_t count)
{
	const struct leaks_asked *asked = of->asked;
	double seen = finding->grew - finding->seen;
	double still = finding->known - finding->grew;
	bool is_over = finding->went_without || finding->stood_still
		|| (seen < asked->min_time && still > seen && still >= asked->min_time);

	finding->standing = of->span.has_times && is_over ? STANDS_STILL : STANDS;
	if (!of->span.has_times || is_over)
		return;
	double start = lasts_start(of->life, finding, asked->min_time);
	double enough = fmax(asked->min_time + finding->unseen, start);
	if (!of->span.is_over)
		enough = fmax(enough, seen + young * asked->min_time - finding->known - fmax(of->span.age, 0));
	enough = fmax(enough, lasts_garbage(of, finding, points, count));
	enough = fmax(enough, seen + lasts_expiry(points, count, garbage_most_ms));
	if (may_be_tooth(finding, points, count))
		enough = fmax(enough, patience_ms);
	if (!finding->source && finding->trend.confidence < whole_sure)
		enough = fmax(enough, 2 * seen);
	if (seen >= enough)
		return;
	finding->standing = seen < start ? STANDS_STARTING : STANDS_BRIEF;
	finding->ask_again = (double)(of->span.duration + of->span.silent) + enough - seen;
}

// Returns true if the growth follows the clock, and not the work (bytes allocated and freed). Then
// a line over clock time fits clearly better than a line or a curve over work. An example is a leak
// in a process with work of several kinds. If the result is true, the slopes of `trend` are set to
// slopes over clock time. Otherwise they stay slopes over work. The points begin at the onset.
static bool
goes_by_clock(struct trend *trend, const struct trend_point *onset, size_t count)
{
	struct judgement by_clock;

	if (!judge_goes_by_clock(onset, count, true, &by_clock))
		return false;
	trend->slope = by_clock.rate;
	trend->slope_low = by_clock.rate_low;
	trend->slope_high = by_clock.rate_high;
	return true;
}

// Converts the finding's slopes from bytes for each byte of work (allocated and freed) to bytes for
// each unit of clock time. A long time without growth at the end lowers the slopes, unless the leak has
// stopped. A short one may only mean that the last floor came early in its window.
static void
scale_slopes(struct finding *finding, const struct trend_point *points, size_t count,
	bool is_sampled)
{
	struct trend *trend = &finding->trend;
	const struct trend_point *onset = &points[trend->onset];
	const struct trend_point *last = &points[count - 1];
	double clock = last->clock;

	if (finding->standing == STANDS_STILL)
		while (last > onset + 1 && last->clock > finding->grew)
			last--;
	if (finding->standing == STANDS_STILL)
		clock = last->clock;
	else if (stall_is_level(last, last->floor, STALL_LEVEL * trend->growth)
			&& finding->known - clock > SHARE_HARDLY * (clock - onset->clock))
		clock = finding->known;
	if (clock <= onset->clock)
		return;
	finding->by_work = (struct work_rate){trend->slope, trend->slope_low, trend->slope_high};
	// A line by the clock is not fitted in two cases. If `clock` is later than the last point, the
	// line would lack the time after that point. In a sampled log, its interval would lack the
	// error of sampling. Then the slopes by work are scaled instead.
	bool by_work = clock > last->clock || is_sampled;
	if (by_work || !goes_by_clock(trend, onset, (size_t)(last - onset) + 1)) {
		double by = (last->time - onset->time) / (clock - onset->clock);
		trend->slope *= by;
		trend->slope_low *= by;
		trend->slope_high *= by;
	}
	// The interval must include the mean slope, from onset to `clock`, whichever line fits best.
	double mean = trend->growth / (clock - onset->clock);
	trend->slope_low = fmin(trend->slope_low, mean);
	trend->slope_high = fmax(trend->slope_high, mean);
}

void
evidence_weigh(const struct evidence *of, struct finding *finding,
	const struct trend_point *points, size_t count, const struct history_end *end)
{
	const struct leaks_asked *asked = of->asked;

	ASSERT(finding->trend.onset < count);
	stall_measure(finding, &of->span, points, count, end);
	decide(of, finding, points, count);
	scale_slopes(finding, points, count, of->is_sampled);
	bool is_slow = of->span.has_times && finding->standing == STANDS
		&& history_rate(&of->span, finding->trend.slope) < asked->min_rate;
	if (finding->source && (is_slow || is_small(finding, asked->min_share / 100, of->highest)))
		finding->standing = STANDS_LITTLE;
}
