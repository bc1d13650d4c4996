// SPDX-License-Identifier: BSD-2-Clause
// timeline: cuts a log into windows of equal time. Time here is the process's work: the bytes that
// it has allocated and freed since the log's first snapshot. So a time is a number of bytes. Clock
// times are kept beside it, since rates need them.
//
// By the clock, memory would seem to have settled while a process idles. If a process is slowed
// down, its last saw-tooth would extend over many windows by the clock, and look like a leak. By
// work, a program has the same history on a fast machine and on a slow machine. A snapshot without
// work counts as a little work, since two snapshots must not have the same time.
//
// There are at most SERIES_MAX windows. When the log's work no longer fits into them, the work of
// each window is doubled. If a process does most of its work in a moment, the windows before and
// after it last long by the clock. Such a window has several spans, each of limited clock time.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/verdict.h"

// A series is the history of one number, such as a source's live bytes, in few points. A point has
// the lowest, the highest and the last value in one span. Spans without a sample have no point.
// When spans are joined, their points are joined, too. A series has at most SPANS_MAX points of 120
// bytes each. Adding a sample takes constant time.
enum {
	SERIES_MAX = TREND_MAX,
	CLOCK_SPANS = 32, // cut by clock time alone, a log has at most this many spans
	SPANS_MAX = SERIES_MAX + CLOCK_SPANS,
};

// Values of a source, or of the process, at one moment.
struct sample {
	int64_t time; // bytes of the process's work until that moment (timeline.now)
	// milliseconds since the log's first snapshot. If the log has no times, number of snapshots
	// since then
	double clock;
	uint64_t calls; // the whole process's allocations, from its begin to that moment
	uint64_t bytes;
	uint64_t blocks;
	uint64_t allocs; // the source's allocations, from the process's begin to that moment
};

struct series_point {
	int64_t span;         // time at which the point's span begins
	bool is_gap;          // the values between the previous point and this one are not known
	int64_t first;        // time of the point's first sample
	struct sample floor;  // the sample with the fewest live bytes
	uint64_t peak;
	uint64_t last, last_blocks, last_allocs;
	double sum;    // sum of `bytes` of all samples, to compute their mean
	uint32_t told; // number of samples in the point
};

// All zeros is an empty series.
struct series {
	struct series_point *points;
	uint32_t count, room;
	unsigned merges; // timeline.merges when the points were last joined
};

// A span: a window, or a part of one, that has snapshots.
struct span {
	int64_t first; // time of the span's first snapshot
	double clock_first, clock_last;
	uint64_t calls_first;
	uint64_t sources_last; // number of the process's sources at the span's last snapshot
};

// All zeros is an empty timeline.
struct timeline {
	struct span spans[SPANS_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift bytes of work
	double clock_span; // a span takes less clock time than this, in the unit of `clock`
	unsigned merges;   // how often spans were joined
	uint64_t snapshots;
	int64_t start;  // time of the first snapshot: Unix time in ms, or the snapshot's number
	int64_t now;    // bytes allocated and freed since `start`
	int64_t ticks;  // clock time since `start`: 1024 a millisecond, or snapshots
	double clock;   // milliseconds, or snapshots, since `start`
	double usual_gap; // mean clock time between two of the last few snapshots
	uint64_t calls; // allocations of the whole process until the last snapshot
	bool has_times; // false if snapshot numbers replace times
};

// The values of a snapshot that timeline_add() uses.
struct beat {
	int64_t time_ms; // 0 if not known
	uint64_t number;
	uint64_t work;    // bytes allocated and freed since the snapshot before
	uint64_t calls, sources; // the process's numbers of allocations and of sources so far
};

// Moves the timeline on to the next snapshot.
void timeline_add(struct timeline *timeline, const struct beat *beat);

// Returns true if both spans are in the same window of work.
bool timeline_is_window(const struct timeline *timeline, const struct span *a,
	const struct span *b);

// Adds a sample to the series. The sample's time must be timeline->now, or what timeline->now was
// at the snapshot before. `is_gap` is as in struct series_point.
void series_add(struct series *series, const struct timeline *timeline,
	const struct sample *sample, bool is_gap);

// Joins the points of spans that the timeline has joined since the last call.
void series_widen(struct series *series, const struct timeline *timeline);

#endif
