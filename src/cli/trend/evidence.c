// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>

#include "base/assert.h"
#include "trend/curve.h"
#include "trend/evidence.h"
#include "trend/expiry.h"
#include "trend/gc.h"

// A process counts as started when it is this old, at the latest.
static const double start_most_ms = 600e3;
// A rise may be a garbage collector's saw-tooth under three conditions. More than the share
// `without` of the process's work (bytes allocated and freed) came before the rise. The mean
// lifetime of the source's blocks may be less than the share `last_part` of the work, so that all
// its live blocks may be recent. The rise has lasted for less than tooth_most_ms.
static const double without = 0.25;
static const double last_part = 0.05;
static const double tooth_most_ms = 600e3;
// If a language's collector frees a source's memory, growth may be garbage until it has lasted for
// garbage_most_ms. The growth must also be little, or the source must have freed more than the
// share `hardly_freed` of its blocks.
static const double garbage_most_ms = 3600e3;
static const double hardly_freed = 0.5;
// A collector may have run for the last time as the process started. It may run again only when
// live bytes have grown by this share of their peak.
static const double waits_for = 0.25;
// Some collectors run whenever live bytes have doubled. With such a collector, at most this share
// of live bytes is garbage.
static const double by_doubling = 0.5;
// Some leaks show only if the points of the process's start are left out. Their growth may be a
// pool that fills. So they must be seen to grow for this many times as long as other leaks.
static const double behind_start = 3;
// It may be known that a leak has not grown for some time after its last point. This time lowers
// the leak's rate only if it exceeds this share of the clock time from the onset to the last point.
// A shorter time may only mean that the last floor came early in its window.
static const double long_tail = 0.1;
// A source that made fewer than few_blocks allocations may be a buffer that was replaced by larger
// ones. Its growth is little if it is below a share of the process's highest live bytes:
// buffer_shares times leaks_asked.min_share.
static const double few_blocks = 32;
static const double buffer_shares = 10;
// Of two fits, the first is clearly better if its squared residuals are below this share of the
// second's.
static const double clearly = 0.5;

// Returns the index of the first value that is at least `high`, or of the last value.
static size_t
first_at(const double *values, size_t count, double high)
{
	size_t i = 0;
	while (i + 1 < count && values[i] < high)
		i++;
	return i;
}

double
evidence_started(const struct history *history, const struct trend_point *live,
	const double *leaks, size_t count)
{
	struct history_span span = history_span(history);
	double latest = start_most_ms - span.age;
	double rest[TREND_MAX], high = 0, highest = 0;

	if (!span.has_times || latest <= 0 || count == 0)
		return 0;
	double started = history_settled(history, latest);
	for (size_t i = 0; i < count; i++) {
		rest[i] = live[i].floor - leaks[i] - (live[0].floor - leaks[0]);
		high = fmax(high, rest[i]);
		highest = fmax(highest, live[i].floor - live[0].floor);
	}
	// If supposed leaks have most of the growth, the rest of the growth does not show when the
	// process had started.
	if (high <= highest / 2)
		return started;
	size_t i = first_at(rest, count, 0.75 * high);
	while (i > 0 && live[i].clock > latest)
		i--;
	return fmax(started, live[i].time);
}

// Returns true if the leak goes on after `moment`, the time at which the process had started. After
// `moment`, the leak must last at least as long as from its onset to `moment`. The slope after
// `moment` must be at least a quarter of the slope over the whole leak.
static bool
goes_on_after(double moment, const struct finding *finding, const struct trend_point *points,
	size_t count)
{
	const struct trend *trend = &finding->trend;
	const struct trend_point *last = &points[count - 1], *onset = &points[trend->onset];
	double times[TREND_MAX], floors[TREND_MAX];
	size_t left = 0, first = trend->onset;

	if (moment <= onset->time)
		return true;
	while (first < count && points[first].time < moment)
		first++;
	for (size_t i = first; i < count; i++) {
		times[left] = finding->by_clock ? points[i].clock : points[i].time;
		floors[left++] = points[i].floor;
	}
	if (left < TREND_LEAST / 2)
		return false;
	double slope = kendall_slope(times, floors, left);
	if (finding->by_clock)
		return (last->clock - points[first].clock) * 2 >= last->clock - onset->clock
			&& slope * (last->clock - onset->clock) >= trend->growth / 4;
	return (last->time - moment) * 2 >= last->time - onset->time && slope >= trend->slope / 4;
}

// Returns true if the leak is small: compared to the blocks that its source allocated, and to
// `highest`, the process's highest live bytes. A source with few allocations may be a buffer that
// was replaced by a larger buffer a few times. A few replacements give no rate. So growth of such a
// source counts as small up to a larger share of `highest`.
static bool
is_small(const struct finding *finding, double share, double highest)
{
	const struct trend *trend = &finding->trend;
	bool gave_way = finding->allocs < few_blocks && trend->growth_blocks * 2 < finding->allocs;

	if (finding->allocs <= 0)
		return false;
	if (gave_way && trend->growth < buffer_shares * share * highest)
		return true;
	return trend->growth_blocks >= 0.5
		&& trend->growth_blocks < share * finding->allocs && trend->growth < share * highest;
}

// Returns true if the rise may be a garbage collector's saw-tooth. By Little's law, the blocks'
// mean lifetime is the number of live blocks divided by the rate of allocations. That number is at
// least the growth in blocks.
static bool
may_be_tooth(const struct finding *finding, const struct trend_point *points, size_t count)
{
	const struct trend *trend = &finding->trend;
	double whole = points[count - 1].time - points[0].time;
	double before = points[trend->onset].time - points[0].time;
	double lived = trend->growth_blocks / finding->allocs * (whole - before);

	return finding->grew - finding->began < tooth_most_ms && finding->allocs > 0
		&& before > without * whole && lived < last_part * whole;
}

// Returns true if a garbage collector may yet free the growth. Growth below `little` bytes is
// small. `highest` is the process's highest live bytes.
//
// A collector frees most new objects soon. So the garbage that is still to be freed is little, or
// less than half of the blocks allocated. Objects that survive several collections are old. A
// collector looks at old objects seldom: in a small server every ten minutes, or less often.
// Between these collections, old garbage grows as a leak does. In a process that does hardly
// anything after its start, the collector does not run. A collector of the kind GC_DOUBLED (gc.h)
// waits until live bytes have doubled. Before that, any memory that the language itself allocates
// may be garbage.
static bool
may_be_garbage(const struct finding *finding, double little, double highest)
{
	const struct trend *trend = &finding->trend;
	enum gc by = gc_of(finding->source);

	if (by == GC_NONE || finding->grew - finding->began >= garbage_most_ms)
		return false;
	if (by == GC_DOUBLED && trend->growth > by_doubling * highest)
		return false;
	if (by == GC_DOUBLED && gc_is_caller(finding->source))
		return true;
	if (finding->behind_start && trend->growth < waits_for * highest)
		return true;
	return trend->growth < little || (trend->growth_blocks >= 0.5
		&& trend->growth_blocks < hardly_freed * finding->allocs);
}

static bool
rises_seldom(const struct finding *finding, const struct trend_point *points, size_t count)
{
	struct stretch stretch;

	stretch_open(&stretch, points + finding->trend.onset, count - finding->trend.onset);
	return shape_rises_seldom(&stretch);
}

static enum standing
standing_of(const struct finding *finding, const struct leaks_asked *asked,
	const struct history_span *span, bool goes_on, bool may_end)
{
	double seen = finding->grew - finding->began;
	double still = finding->known - finding->grew;
	double enough = asked->min_time * (finding->behind_start ? behind_start : 1);

	if (!span->has_times)
		return STANDS;
	if (finding->went_without || finding->stood_still)
		return STANDS_STILL;
	if (seen < asked->min_time && still > seen && still >= asked->min_time)
		return STANDS_STILL;
	if (!goes_on)
		return STANDS_STARTING;
	return seen - finding->unseen < enough || may_end ? STANDS_BRIEF : STANDS;
}

// Returns the sum of the squared residuals of the best line with this slope.
static double
misfit(const double *times, const double *floors, size_t count, double slope)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < count; i++)
		mean += (floors[i] - slope * times[i]) / (double)count;
	for (size_t i = 0; i < count; i++)
		sum += pow(floors[i] - slope * times[i] - mean, 2);
	return sum;
}

bool
evidence_goes_by_clock(struct trend *trend, const struct trend_point *onset, size_t count)
{
	double clocks[TREND_MAX];
	struct stretch stretch;

	stretch_open(&stretch, onset, count);
	for (size_t i = 0; i < count; i++)
		clocks[i] = onset[i].clock - onset[0].clock;
	if (count < TREND_LEAST || clocks[count - 1] <= 0)
		return false;
	struct kendall kendall = kendall_test(clocks, stretch.floors, count);
	double off = misfit(clocks, stretch.floors, count, kendall.slope);
	double off_work = misfit(stretch.times, stretch.floors, count, trend->slope);
	if (kendall.slope <= 0 || off >= clearly * off_work || off >= clearly * curve_misfit(&stretch))
		return false;
	trend->slope = kendall.slope;
	trend->slope_low = kendall.slope_low;
	trend->slope_high = kendall.slope_high;
	return true;
}

// Converts the finding's slopes from bytes for each byte of work (allocated and freed) to bytes for
// each unit of clock time. A long time without growth at the end (long_tail) lowers the slopes,
// unless the leak has stopped.
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
			&& finding->known - clock > long_tail * (clock - onset->clock))
		clock = finding->known;
	if (clock <= onset->clock)
		return;
	finding->by_work = (struct work_rate){trend->slope, trend->slope_low, trend->slope_high};
	// A line by the clock is not fitted in two cases. If `clock` is later than the last point, the
	// line would lack the time after that point. In a sampled log, its interval would lack the
	// error of sampling. Then the slopes by work are scaled instead.
	bool by_work = clock > last->clock || is_sampled;
	if (by_work || !evidence_goes_by_clock(trend, onset, (size_t)(last - onset) + 1)) {
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
	bool goes_on = goes_on_after(of->started, finding, points, count);
	bool may_end = may_be_tooth(finding, points, count) || rises_seldom(finding, points, count)
		|| may_be_garbage(finding, asked->min_share / 100 * of->highest, of->highest)
		|| expiry_goes_on(points, count, garbage_most_ms);
	finding->standing = standing_of(finding, asked, &of->span, goes_on, may_end);
	scale_slopes(finding, points, count, of->is_sampled);
	bool is_slow = of->span.has_times && finding->standing == STANDS
		&& history_rate(&of->span, finding->trend.slope) < asked->min_rate;
	if (finding->source && (is_slow || is_small(finding, asked->min_share / 100, of->highest)))
		finding->standing = STANDS_LITTLE;
}
