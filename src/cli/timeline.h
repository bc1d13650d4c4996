// timeline: the time of a log, cut into windows of equal length, SERIES_MAX at most: they double
// when the log has grown too long for them.

#ifndef PMEM_CLI_TIMELINE_H
#define PMEM_CLI_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "series.h"

// A window that has blocks.
struct span {
	int64_t first, last; // of its first and its last block
};

// A zeroed one is empty.
struct timeline {
	struct span spans[SERIES_MAX];
	uint32_t count;
	unsigned shift; // a window is 2^shift ticks
	uint64_t blocks;
	int64_t start;  // of the first block: Unix time in ms, or its number
	int64_t now;    // ticks since then: 1024 are a millisecond; or blocks
	bool has_times; // false: numbers stand for them
};

// Moves on to a block. A time of 0 is not known.
void timeline_add(struct timeline *timeline, int64_t time_ms, uint64_t number);

// Milliseconds of ticks, or blocks.
double timeline_outside(const struct timeline *timeline, int64_t time);

#endif
