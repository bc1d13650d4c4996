// SPDX-License-Identifier: BSD-2-Clause
// mapped: what a snapshot tells of the memory that the program has mapped itself.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_MAPPED_H
#define PMEM_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counter.h"

// Sources that qualify to be shown, by number.
struct selection {
	uint64_t *sources; // the shown sources come first, in their order
	uint32_t shown;
	uint32_t all; // number that qualify, with those for which sources[] had no room
};

struct mapped {
	struct change total;
	struct change other; // of SOURCE_OTHER (mapping_table.h)
	struct change rest;  // of other sources that are not shown
	bool moved;
	struct selection shown; // largest first
};

// Looks at all sources and chooses those to be shown. These are sources that moved, or with `all`
// sources that hold memory, too.
void mapped_look(struct mapped *mapped, bool all);

// Returns the counters of a source, as of mapped_look().
struct change mapped_change(uint32_t source);

// Sets `rest`, once the shown sources are chosen.
void mapped_sum_rest(struct mapped *mapped);

#endif
