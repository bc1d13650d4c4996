// SPDX-License-Identifier: BSD-2-Clause
// burst: what has come at last, and was never there before. Nobody can tell yet whether it stays,
// so it is no leak; but whoever looks at a process that has just grown wants to hear of it.

#ifndef PMEM_CLI_BURST_H
#define PMEM_CLI_BURST_H

#include "trend/history.h"

struct burst {
	double growth; // of live, beyond the most that there was before; 0: there is none
	double now;    // live at the end
	double began;  // by the clock; it was not there yet
	const struct source *source; // which has grown most since then; NULL: none that is known
	double of_source; // by how much
};

// Of all that is live at least a quarter, and as much as `least`, in the last tenth of the time.
struct burst burst_find(struct history *history, double least);

#endif
