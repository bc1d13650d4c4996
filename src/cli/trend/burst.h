// SPDX-License-Identifier: BSD-2-Clause
// burst: growth of the process's live bytes at the end of a log, above every earlier peak. Nobody
// can tell yet whether these bytes stay, so a burst is not called a leak. It is reported apart from
// leaks, since somebody who looks at a process that has just grown wants to know why.

#ifndef PMEM_CLI_BURST_H
#define PMEM_CLI_BURST_H

#include "trend/history.h"

struct burst {
	double growth; // live bytes at the end, less the highest earlier peak. 0 if there is no burst
	double now;    // live bytes at the end
	double began;  // clock time of the last point before the burst
	// the source with the largest growth since `began`. NULL if no source has grown
	const struct source *source;
	double of_source; // growth of `source` in bytes, but at most `growth`
};

// Looks for growth in the last tenth of the clock time, above every earlier peak. To be a burst,
// this growth must be at least `least` bytes, and at least a quarter of the live bytes at the end.
struct burst burst_find(struct history *history, double least);

#endif
