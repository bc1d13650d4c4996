#include "timeline.h"

enum {
	TICKS = 1024,
	FIRST_GAP = 16, // ticks between blocks of a log's first millisecond
};

// Clocks are set back. Of several blocks in a millisecond each follows the one before as blocks
// have done so far: short programs write many.
static int64_t
time_of(const struct timeline *timeline, int64_t time_ms, uint64_t number)
{
	if (!timeline->has_times)
		return (int64_t)number - timeline->start;
	int64_t begin = (time_ms - timeline->start) * TICKS;
	int64_t last = begin + TICKS - 1;
	if (begin > timeline->now)
		return begin;
	int64_t left = last - timeline->now;
	int64_t gap = timeline->blocks > 1 ? timeline->now / (int64_t)(timeline->blocks - 1)
		: FIRST_GAP;
	if (left <= 0)
		return timeline->now;
	return timeline->now + (gap < left ? gap : left / 2);
}

// Windows became longer: so do their spans.
static void
widen(struct timeline *timeline)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < timeline->count; i++) {
		struct span *span = &timeline->spans[i];
		bool is_same = count > 0 && timeline->spans[count - 1].first >> timeline->shift
			== span->first >> timeline->shift;
		if (is_same)
			timeline->spans[count - 1].last = span->last;
		else
			timeline->spans[count++] = *span;
	}
	timeline->count = count;
}

void
timeline_add(struct timeline *timeline, int64_t time_ms, uint64_t number)
{
	if (timeline->blocks == 0) {
		timeline->has_times = time_ms != 0;
		timeline->start = timeline->has_times ? time_ms : (int64_t)number;
	} else {
		timeline->now = time_of(timeline, time_ms, number);
	}
	timeline->blocks++;
	if (timeline->now >> timeline->shift >= SERIES_MAX) {
		while (timeline->now >> timeline->shift >= SERIES_MAX)
			timeline->shift++;
		widen(timeline);
	}
	uint32_t count = timeline->count;
	bool is_new = count == 0 || timeline->spans[count - 1].first >> timeline->shift
		!= timeline->now >> timeline->shift;
	if (is_new)
		timeline->spans[timeline->count++].first = timeline->now;
	timeline->spans[timeline->count - 1].last = timeline->now;
}

double
timeline_outside(const struct timeline *timeline, int64_t time)
{
	return timeline->has_times ? (double)time / TICKS : (double)time;
}
