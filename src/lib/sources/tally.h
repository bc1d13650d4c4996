// SPDX-License-Identifier: BSD-2-Clause
// tally: what has been counted, over all threads' slots: of each source, and in each slot.
//
// Who may call: any thread; what is said of slots is for the one that writes a snapshot. Never
// allocates, never blocks: the threads go on counting meanwhile.

#ifndef PMEM_TALLY_H
#define PMEM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"
#include "base/counter.h"
#include "threads/thread.h"

// The counters over all slots, of so many sources from `first` on that are of one group
// (slot.h). Of each, frees never exceed allocs, in calls nor bytes, and where no block is live
// no byte is.
void tally_sum(uint32_t first, uint32_t count, struct counter *sums);

// What one slot has.
struct tally {
	struct counter sums[2]; // of all sources, now's and the last snapshot's in turn
	uint64_t word;          // its owner's, before anything was added up
	// So many bytes its former threads had allocated by then, at the most.
	uint64_t base;
};

// Of a source: in which slot a thread has allocated most bytes of it, and how many at the least.
struct tally_most {
	uint32_t slot;
	uint64_t bytes; // 0: no thread did
};

// Both sums of it are kept: `now` says which of them are to be made anew.
void tally_begin(unsigned now);

// As tally_sum(), and adds all of it to the slots' sums: what these have in the end is together
// what the sources have. most[] is of the same sources.
void tally_look(uint32_t first, uint32_t count, struct counter *sums, struct tally_most *most);

// The same of what this process had when it was forked; 0 in one that was not.
void tally_look_inherited(uint32_t first, uint32_t count, struct counter *sums);

struct tally *tally_of(uint32_t slot);

// What each source had when the program said to count anew, 0 before it did. False: there is no
// memory to know it of so many sources. To be read before the sum that is to be compared with it;
// set by the one thread that writes a snapshot.
bool tally_reach_base(uint32_t sources);
struct counter tally_base(uint32_t source);
void tally_set_base(uint32_t source, const struct counter *sum);

// The most that this takes.
#define TALLY_BYTES_MAX ((uint64_t)PMEM_SOURCES * sizeof(struct counter) + TABLE_CHUNK_BYTES)

#endif
