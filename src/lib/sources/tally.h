// SPDX-License-Identifier: BSD-2-Clause
// tally: sums of the counters in all threads' slots, by source and by slot.
//
// Who may call: any thread; the sums by slot are for the thread that writes a snapshot. Never
// allocates, except that it maps its table when used. Never blocks: threads go on counting while
// the counters are summed.

#ifndef PMEM_TALLY_H
#define PMEM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"
#include "base/counter.h"
#include "threads/thread.h"

// Sums the counters of `count` sources, from `first` on, over all slots. The sources must be of
// one group (slot.h). In each sum, frees do not exceed allocs, in calls and in bytes. A sum
// without live blocks has no live bytes.
void tally_sum(uint32_t first, uint32_t count, struct counter *sums);

// The sums of one slot.
struct tally {
	// Sums over all sources, one for this snapshot and one for the last. The two elements take
	// turns: each snapshot overwrites the older sum.
	struct counter sums[2];
	// the slot's word, which says who owns the slot (slot.h); read before any of its counters
	uint64_t word;
	// Upper bound of the bytes that the slot's former threads had allocated.
	uint64_t base;
};

// The thread that has allocated most of a source's bytes: the thread's slot, and a lower bound of
// these bytes.
struct tally_most {
	uint32_t slot;
	uint64_t bytes; // 0 if no thread has allocated any
};

// Begins new sums. `now` is the index in each slot's sums[] that is overwritten. The other index
// keeps its sums.
void tally_begin(unsigned now);

// Does the same as tally_sum(). Also adds the counters to the slots' sums, so that sources and
// slots have the same total. Sets an entry of `most` for each of these sources.
void tally_look(uint32_t first, uint32_t count, struct counter *sums, struct tally_most *most);

// Does the same as tally_look(), for the blocks that were counted before the fork that made this
// process. The sums are 0 if the process was not made by a fork.
void tally_look_inherited(uint32_t first, uint32_t count, struct counter *sums);

struct tally *tally_of(uint32_t slot);

// A source's base is its counters at the program's last pmem_reset(). Without a reset the base is
// 0. tally_reach_base() returns false if there is no memory for the bases of the first `sources`
// sources. If a sum is to be compared with the base, tally_base() must be called before the sum is
// made. Then the sum is never less than the base. tally_set_base() is for the one thread that
// writes a snapshot.
bool tally_reach_base(uint32_t sources);
struct counter tally_base(uint32_t source);
void tally_set_base(uint32_t source, const struct counter *sum);

// Upper bound of the memory that this module takes.
#define TALLY_BYTES_MAX ((uint64_t)PMEM_SOURCES * sizeof(struct counter) + TABLE_CHUNK_BYTES)

#endif
