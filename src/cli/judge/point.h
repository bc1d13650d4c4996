// SPDX-License-Identifier: BSD-2-Clause
// point: a series of live bytes, as it is judged.

#ifndef PMEM_CLI_POINT_H
#define PMEM_CLI_POINT_H

#include "judge/kendall.h"

enum {
	TREND_MAX = KENDALL_MAX, // a series has at most this many points
	TREND_LEAST = 8,         // shorter series are not judged: all points may rise by chance
};

// The values of a series in one window of time.
struct trend_point {
	// time of the floor, mostly in bytes of work (timeline.h). It must not fall from a point to the
	// next
	double time;
	double clock;  // clock time of the floor, in ms or snapshots
	double calls;  // allocations of the whole process until the floor
	double floor;  // lowest live bytes in the window
	double peak;   // highest live bytes in the window
	double mean;   // mean of the live bytes in the window's snapshots
	double told;   // number of the window's snapshots that have a value
	double blocks; // number of live blocks at the floor
	double allocs; // the source's allocations until the floor
	double load;   // the source's allocations per unit of clock time. Negative if not known
};

#endif
