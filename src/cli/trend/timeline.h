// SPDX-License-Identifier: BSD-2-Clause
// timeline: the time of a log in histories. It is cut into at most SERIES_MAX windows of equal
// length. Their length doubles when the log has grown too long for them. A window that lasts long
// by the clock has several spans. That happens where a process does most of its work in a moment.
//
// This time is the process's own: the bytes that it has allocated and freed. By the clock, a
// process that idles would seem to have settled. A throttled process would draw its last saw-tooth
// out over many windows, so that it looks like a leak. By work, a program has the same history on
// any machine. A snapshot without work counts as a little work. Clock times are kept beside the
// work, for rates.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/verdict.h"

// A series is the history of one number in few points. A point has the least, the most and the
// last value of a span in which the number was sampled. When spans are joined, their points are,
// too. A series has at most SPANS_MAX points of 120 bytes each. Adding one takes constant time.
enum {
	SERIES_MAX = TREND_MAX,
	CLOCK_SPANS = 32, // most spans by the clock, where windows take longer
	SPANS_MAX = SERIES_MAX + CLOCK_SPANS,
};

// Values at one moment.
struct sample {
	int64_t time;
	double clock; // milliseconds, or snapshots, since the start
	uint64_t calls; // of the whole process, since it began
	uint64_t bytes;
	uint64_t blocks;
	uint64_t allocs; // since the process began
};

struct series_point {
	int64_t span;         // the time at which its span begins
	bool is_gap;          // the values between the point before and this one are not known
	int64_t first;        // time of its first sample
	struct sample floor;  // the sample with the fewest bytes
	uint64_t peak;
	uint64_t last, last_blocks, last_allocs;
	double sum;    // of its samples' bytes
	uint32_t told; // number of samples
};

// All zeros is an empty series.
struct series {
	struct series_point *points;
	uint32_t count, room;
	unsigned merges; // joins of spans that were applied, as in the timeline
};

// A span that has snapshots.
struct span {
	int64_t first;
	double clock_first, clock_last;
	uint64_t calls_first;
	uint64_t sources_last; // sources that the process had at its last snapshot
};

// All zeros is an empty timeline.
struct timeline {
	struct span spans[SPANS_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift bytes
	double clock_span; // the most clock time that a span takes
	unsigned merges;   // how often spans were joined
	uint64_t snapshots;
	int64_t start;  // of the first snapshot: Unix time in ms, or its number
	int64_t now;    // bytes allocated and freed since then
	int64_t ticks;  // clock time since then: 1024 a millisecond, or snapshots
	double clock;   // milliseconds, or snapshots, since the start
	double usual_gap; // mean clock time between the last snapshots
	uint64_t calls;
	bool has_times; // false if snapshot numbers replace times
};

// A snapshot's values of the process.
struct beat {
	int64_t time_ms; // 0 if not known
	uint64_t number;
	uint64_t work;    // bytes since the snapshot before
	uint64_t calls, sources; // so far
};

// Moves on to the next snapshot.
void timeline_add(struct timeline *timeline, const struct beat *beat);

// Returns true if both spans are in the same window of work.
bool timeline_is_window(const struct timeline *timeline, const struct span *a,
	const struct span *b);

// Returns the first span by whose end the process has nearly all its sources. A process that is
// still starting has them in its last span.
uint32_t timeline_settled(const struct timeline *timeline);

// The sample's time is the timeline's `now`, or that of the snapshot before.
void series_add(struct series *series, const struct timeline *timeline,
	const struct sample *sample, bool is_gap);

// Joins the points of spans that the timeline has joined.
void series_widen(struct series *series, const struct timeline *timeline);

#endif
