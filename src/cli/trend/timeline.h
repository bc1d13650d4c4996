// SPDX-License-Identifier: BSD-2-Clause
// timeline: the time of a log as histories have it: cut into windows of equal length, SERIES_MAX
// at most, which double when the log has grown too long for them. One that lasts for long by the
// clock, as where a process does most of its work in a moment, is several spans.
//
// This time is the process's own: the bytes that it has allocated and freed. By the clock a
// process that idles would seem to have settled, and one that is throttled would draw its last
// saw-tooth out over many windows, so that it looks like a leak. By work the same program has
// the same history on any machine. A snapshot without work counts as a little. What the clock
// said is kept beside it, for rates.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/verdict.h"

// A series is how a number went, in few points: the least, the most and the last of each span
// of time that had news. When windows become longer, two become one. At most SPANS_MAX points
// of 120 bytes each, and a constant time to add one.
enum {
	SERIES_MAX = TREND_MAX,
	CLOCK_SPANS = 32, // of the clock's time, at most, that are spans where a window takes longer
	SPANS_MAX = SERIES_MAX + CLOCK_SPANS,
};

// What there is at a moment.
struct sample {
	int64_t time;
	double clock; // what it said: milliseconds, or snapshots, since the start
	uint64_t calls; // of the whole process, since it began
	uint64_t bytes;
	uint64_t blocks;
	uint64_t allocs; // since the process began
};

struct series_point {
	int64_t span;         // the time at which that begins
	bool is_gap;          // what there was between the point before and this is not known
	int64_t first;        // time of its first sample
	struct sample floor;  // the one with the fewest bytes
	uint64_t peak;
	uint64_t last, last_blocks, last_allocs;
	double sum;    // of its samples' bytes
	uint32_t told; // and how many these are
};

// A zeroed one is empty.
struct series {
	struct series_point *points;
	uint32_t count, room;
	unsigned merges; // as the timeline's
};

// A span that has snapshots: its first snapshot and its last.
struct span {
	int64_t first;
	double clock_first, clock_last;
	uint64_t calls_first;
	uint64_t sources_last; // that there were in the process so far
};

// A zeroed one is empty.
struct timeline {
	struct span spans[SPANS_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift bytes
	double clock_span; // and a span takes no longer than that by the clock
	unsigned merges;   // how often spans became one
	uint64_t snapshots;
	int64_t start;  // of the first snapshot: Unix time in ms, or its number
	int64_t now;    // bytes allocated and freed since then
	int64_t ticks;  // of the clock since then: 1024 are a millisecond; or snapshots
	double clock;   // milliseconds, or snapshots, since the start
	double usual_gap; // of the clock, between the last snapshots
	uint64_t calls;
	bool has_times; // false: numbers stand for them
};

// What a snapshot says of the process.
struct beat {
	int64_t time_ms; // 0: not known
	uint64_t number;
	uint64_t work;    // bytes since the snapshot before
	uint64_t calls, sources; // so far
};

// Moves on to a snapshot.
void timeline_add(struct timeline *timeline, const struct beat *beat);

// Both are of the same window of work.
bool timeline_is_window(const struct timeline *timeline, const struct span *a,
	const struct span *b);

// The span in which the process has its sources: hardly any come later. A process that is still
// starting has it at its end.
uint32_t timeline_settled(const struct timeline *timeline);

// `time` of the sample is the timeline's now, or that of the snapshot before.
void series_add(struct series *series, const struct timeline *timeline,
	const struct sample *sample, bool is_gap);

// Makes its spans those of the timeline.
void series_widen(struct series *series, const struct timeline *timeline);

#endif
