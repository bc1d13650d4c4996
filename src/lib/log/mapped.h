// SPDX-License-Identifier: BSD-2-Clause
// mapped: what a snapshot shows about memory that the program itself has mapped.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_MAPPED_H
#define PMEM_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counter.h"

// The sources that qualify to be shown in one part of a snapshot.
struct selection {
	uint64_t *sources; // numbers of sources; the first `shown` are the chosen ones, in order
	uint32_t shown;
	uint32_t all; // how many sources qualify, also those for which sources[] had no room
};

struct mapped {
	struct change total;
	struct change other; // counters of SOURCE_OTHER (mapping_table.h)
	struct change rest;  // counters of all sources that are not shown, without SOURCE_OTHER
	bool moved;
	struct selection shown; // sources to be shown, by mapped bytes, largest first
};

// Looks at all sources and chooses those to be shown. These are the sources whose counters changed
// since the last snapshot. With `all`, sources that hold memory are shown, too.
void mapped_look(struct mapped *mapped, bool all);

// Returns the counters of a source of mapped memory, as of mapped_look().
struct change mapped_change(uint32_t source);

// Called once the shown sources are chosen. For one source after another, asks the kernel how much
// of the source's memory is resident. Stops after a limited number of pages.
void mapped_ask(const struct mapped *mapped);

// The answers for the shown sources, in their order. The kernel was asked about `asked` bytes, of
// which `bytes` are resident.
extern struct mapped_resident {
	uint64_t bytes, asked;
} mapped_resident[];

// Sets `rest`, once the shown sources are chosen.
void mapped_sum_rest(struct mapped *mapped);

#endif
