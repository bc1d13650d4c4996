// series: how a number went, in few points: the least, the most and the last of each window of
// time that had news. When windows become longer, two become one. At most SERIES_MAX points of
// 72 bytes each, and a constant time to add one.

#ifndef PMEM_CLI_SERIES_H
#define PMEM_CLI_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "trend/trend.h"

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

#endif
