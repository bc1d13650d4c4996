// SPDX-License-Identifier: BSD-2-Clause
// burst: live memory that was added lately, above any earlier level. Nobody can tell yet whether
// it stays, so it is no leak. Whoever looks at a process that has just grown wants to hear of it.

#ifndef PMEM_CLI_BURST_H
#define PMEM_CLI_BURST_H

#include "trend/history.h"

struct burst {
	double growth; // bytes of live beyond the earlier maximum. 0 if there is no burst
	double now;    // live at the end
	double began;  // clock time of the last point before the burst
	const struct source *source; // the source that has grown most since then. NULL if none is known
	double of_source; // bytes that this source grew by, at most `growth`
};

// Finds growth in the last tenth of the time that is a quarter of live or more. `least` is the
// smallest growth in bytes that counts.
struct burst burst_find(struct history *history, double least);

#endif
