#include "base/memory.h"
#include "trend/timeline.h"

// What comes later is taken into the point.
static void
merge(struct series_point *into, const struct series_point *later)
{
	if (later->floor.bytes < into->floor.bytes)
		into->floor = later->floor;
	if (later->peak > into->peak)
		into->peak = later->peak;
	into->last = later->last;
	into->last_blocks = later->last_blocks;
	into->last_allocs = later->last_allocs;
}

void
series_widen(struct series *series, unsigned shift)
{
	uint32_t count = 0;
	unsigned more = shift - series->shift;

	series->shift = shift;
	if (more == 0)
		return;
	for (uint32_t i = 0; i < series->count; i++) {
		struct series_point *point = &series->points[i];
		point->window = more < 32 ? point->window >> more : 0;
		if (count > 0 && series->points[count - 1].window == point->window)
			merge(&series->points[count - 1], point);
		else
			series->points[count++] = *point;
	}
	series->count = count;
}

void
series_add(struct series *series, unsigned shift, const struct sample *sample, bool is_gap)
{
	struct series_point point = {
		.window = (uint32_t)(sample->time >> shift),
		.is_gap = is_gap,
		.first = sample->time,
		.floor = *sample,
		.peak = sample->bytes,
		.last = sample->bytes,
		.last_blocks = sample->blocks,
		.last_allocs = sample->allocs,
	};

	series_widen(series, shift);
	if (series->count > 0 && series->points[series->count - 1].window == point.window) {
		merge(&series->points[series->count - 1], &point);
		return;
	}
	size_t room = series->room;
	series->points = memory_grow(series->points, series->count, &room, sizeof(point));
	series->room = (uint32_t)room;
	series->points[series->count++] = point;
}

enum {
	TICKS = 1024,
	FIRST_GAP = 16, // ticks between snapshots of a log's first millisecond
	GAP_MOST = 2,
};

// Clocks are set back. Of several snapshots in a millisecond each follows the one before as
// snapshots have done so far: short programs write many.
static int64_t
clock_of(const struct timeline *timeline, int64_t time_ms, uint64_t number)
{
	if (!timeline->has_times)
		return (int64_t)number - timeline->start;
	int64_t begin = (time_ms - timeline->start) * TICKS;
	if (begin > timeline->clock)
		return begin;
	int64_t left = begin + TICKS - 1 - timeline->clock;
	int64_t gap = timeline->snapshots > 1 ? timeline->clock / (int64_t)(timeline->snapshots - 1)
		: FIRST_GAP;
	if (left <= 0)
		return timeline->clock;
	return timeline->clock + (gap < left ? gap : left / 2);
}

// From the snapshot before, without what of it was idle. Snapshots of one millisecond count as
// snapshots of one each: at that speed the scheduler has more to say than the program.
static int64_t
gap_of(const struct timeline *timeline, int64_t clock, uint64_t churn)
{
	int64_t gap = clock - timeline->clock;
	if (timeline->has_times && gap < TICKS)
		gap = TICKS;
	if (timeline->snapshots < 2)
		return gap;
	// Where snapshots are held back, one may stand for the work of many.
	double usual = (double)timeline->now / (double)(timeline->snapshots - 1);
	double work = timeline->churn > 0
		? (double)timeline->now / (double)timeline->churn * (double)churn : 0;
	double most = 1 + GAP_MOST * (work > usual ? work : usual);
	return (double)gap < most ? gap : (int64_t)most;
}

// Windows became longer: so do their spans.
static void
widen_spans(struct timeline *timeline)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < timeline->count; i++) {
		struct span *span = &timeline->spans[i];
		bool is_same = count > 0 && timeline->spans[count - 1].first >> timeline->shift
			== span->first >> timeline->shift;
		if (is_same) {
			timeline->spans[count - 1].last = span->last;
			timeline->spans[count - 1].clock_last = span->clock_last;
		} else {
			timeline->spans[count++] = *span;
		}
	}
	timeline->count = count;
}

void
timeline_add(struct timeline *timeline, int64_t time_ms, uint64_t number, uint64_t churn)
{
	if (timeline->snapshots == 0) {
		timeline->has_times = time_ms != 0;
		timeline->start = timeline->has_times ? time_ms : (int64_t)number;
	} else {
		int64_t clock = clock_of(timeline, time_ms, number);
		timeline->now += gap_of(timeline, clock, churn);
		timeline->clock = clock;
		timeline->churn += churn;
	}
	timeline->snapshots++;
	if (timeline->now >> timeline->shift >= SERIES_MAX) {
		while (timeline->now >> timeline->shift >= SERIES_MAX)
			timeline->shift++;
		widen_spans(timeline);
	}
	uint32_t count = timeline->count;
	bool is_new = count == 0 || timeline->spans[count - 1].first >> timeline->shift
		!= timeline->now >> timeline->shift;
	struct span *span = &timeline->spans[is_new ? timeline->count++ : count - 1];
	if (is_new) {
		span->first = timeline->now;
		span->clock_first = timeline->clock;
	}
	span->last = timeline->now;
	span->clock_last = timeline->clock;
}

double
timeline_clock(const struct timeline *timeline, double time)
{
	uint32_t i = 0;
	while (i + 1 < timeline->count && (double)timeline->spans[i + 1].first <= time)
		i++;
	const struct span *span = &timeline->spans[i];
	double clock = (double)span->clock_first;
	if (span->last > span->first)
		clock += (time - (double)span->first) / (double)(span->last - span->first)
			* (double)(span->clock_last - span->clock_first);
	return timeline->has_times ? clock / TICKS : clock;
}
