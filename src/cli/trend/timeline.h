// SPDX-License-Identifier: BSD-2-Clause
// timeline: the time in which a history measures its log. Time is cut into at most SERIES_MAX
// windows of equal length. Their length doubles when the log has grown too long for them. A window
// that lasts long by the clock has several spans, each of limited clock time. Windows last long if
// a process does most of its work in a moment, and little before or after.
//
// Time here is the process's work: the bytes that it has allocated and freed. By the clock, a
// process that idles would seem to have settled. The last saw-tooth of a throttled process would
// extend over many windows, and look like a leak. By work, a program has the same history on any
// machine. A snapshot without work counts as a little work. Clock times are kept beside the work,
// for rates.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/verdict.h"

// A series is the history of one number in few points. A point has the least, the most and the last
// value of a span in which the number was sampled. When spans are joined, their points are joined,
// too. A series has at most SPANS_MAX points of 120 bytes each. Adding a sample takes constant
// time.
enum {
	SERIES_MAX = TREND_MAX,
	CLOCK_SPANS = 32, // the clock time of a log is cut into at most this many spans
	SPANS_MAX = SERIES_MAX + CLOCK_SPANS,
};

// Values of a source, or of the process, at one moment.
struct sample {
	int64_t time; // the process's work until then (timeline.now)
	double clock; // milliseconds, or snapshots, since the start
	uint64_t calls; // allocations of the whole process, since it began
	uint64_t bytes;
	uint64_t blocks;
	uint64_t allocs; // allocations of the source, since the process began
};

struct series_point {
	int64_t span;         // the time at which its span begins
	bool is_gap;          // the values between the point before and this one are not known
	int64_t first;        // time of its first sample
	struct sample floor;  // the sample with the fewest bytes
	uint64_t peak;
	uint64_t last, last_blocks, last_allocs;
	double sum;    // sum of its samples' bytes
	uint32_t told; // number of samples
};

// All zeros is an empty series.
struct series {
	struct series_point *points;
	uint32_t count, room;
	unsigned merges; // timeline.merges when the points were last joined
};

// A span: a window, or a part of one, that has snapshots.
struct span {
	int64_t first; // time of its first snapshot
	double clock_first, clock_last;
	uint64_t calls_first;
	uint64_t sources_last; // sources that the process had at its last snapshot
};

// All zeros is an empty timeline.
struct timeline {
	struct span spans[SPANS_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift bytes of work
	double clock_span; // a span takes less clock time than this
	unsigned merges;   // how often spans were joined
	uint64_t snapshots;
	int64_t start;  // time of the first snapshot: Unix time in ms, or its number
	int64_t now;    // bytes allocated and freed since `start`
	int64_t ticks;  // clock time since `start`: 1024 a millisecond, or snapshots
	double clock;   // milliseconds, or snapshots, since `start`
	double usual_gap; // mean clock time from a snapshot to the next, of the last few
	uint64_t calls; // allocations of the process until the last snapshot
	bool has_times; // false if snapshot numbers replace times
};

// What timeline_add() takes from a snapshot.
struct beat {
	int64_t time_ms; // 0 if not known
	uint64_t number;
	uint64_t work;    // bytes since the snapshot before
	uint64_t calls, sources; // allocations until now, and the number of sources
};

// Moves the timeline on to the next snapshot.
void timeline_add(struct timeline *timeline, const struct beat *beat);

// Returns true if both spans are in the same window of work.
bool timeline_is_window(const struct timeline *timeline, const struct span *a,
	const struct span *b);

// Returns the index of the first span by whose end the process has nearly all its sources. While
// the process is still starting, that is the last span.
uint32_t timeline_settled(const struct timeline *timeline);

// Adds a sample to the series. Its time is the timeline's `now`, or that of the snapshot before.
// `is_gap` is as in struct series_point.
void series_add(struct series *series, const struct timeline *timeline,
	const struct sample *sample, bool is_gap);

// Joins the points of spans that the timeline has joined since the last call.
void series_widen(struct series *series, const struct timeline *timeline);

#endif
