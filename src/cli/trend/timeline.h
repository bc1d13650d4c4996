// timeline: the time of a log as histories have it: cut into windows of equal length,
// SERIES_MAX at most, which double when the log has grown too long for them.
//
// A snapshot is written when the program has done some work. While it idles there are none, and
// what leaks does not grow: a tail of idle hours would look as if it had settled. So a gap
// between two snapshots counts as no more than twice the usual one, or than twice what as much
// churn usually takes; and as a millisecond at least. But for these this is the time of
// the clock.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/trend.h"

// A series is how a number went, in few points: the least, the most and the last of each window
// of time that had news. When windows become longer, two become one. At most SERIES_MAX points
// of 72 bytes each, and a constant time to add one.
enum { SERIES_MAX = TREND_MAX };

// What there is at a moment.
struct sample {
	int64_t time;
	uint64_t bytes;
	uint64_t blocks;
	uint64_t allocs; // since the process began
};

struct series_point {
	uint32_t window;
	bool is_gap;          // what there was between the point before and this is not known
	int64_t first;        // time of its first sample
	struct sample floor;  // the one with the fewest bytes
	uint64_t peak;
	uint64_t last, last_blocks, last_allocs;
};

// A zeroed one is empty.
struct series {
	struct series_point *points;
	uint32_t count, room;
	unsigned shift; // windows are 2^shift units of time
};

// `time` of the sample is from 0 to SERIES_MAX windows of 2^shift; neither time nor shift may
// get less from one call to the next.
void series_add(struct series *series, unsigned shift, const struct sample *sample,
	bool is_gap);

// Makes windows as long as that.
void series_widen(struct series *series, unsigned shift);

// A window that has snapshots: its first snapshot and its last.
struct span {
	int64_t first, last;
	int64_t clock_first, clock_last;
};

// A zeroed one is empty.
struct timeline {
	struct span spans[SERIES_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift ticks
	uint64_t snapshots;
	uint64_t churn; // since the first snapshot
	int64_t start;  // of the first snapshot: Unix time in ms, or its number
	int64_t now;    // ticks since then, without long gaps
	int64_t clock;  // ticks since then: 1024 are a millisecond; or snapshots
	bool has_times; // false: numbers stand for them
};

// Moves on to a snapshot. A time of 0 is not known; churn is since the snapshot before.
void timeline_add(struct timeline *timeline, int64_t time_ms, uint64_t number, uint64_t churn);

// What the clock said: milliseconds, or snapshots, since the start.
double timeline_clock(const struct timeline *timeline, double time);

#endif
