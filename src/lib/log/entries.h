// SPDX-License-Identifier: BSD-2-Clause
// entries: a snapshot's entries as lines of the log. An entry has the counters of a source, and its
// stack. If the file already has the stack, the entry ends in a short list of callers instead.
//
// Who may call: the one thread that writes a snapshot. Never allocates.

#ifndef PMEM_ENTRIES_H
#define PMEM_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/counter.h"
#include "base/table.h"
#include "sources/churn.h"
#include "log/mapped.h"
#include "log/memory_limit.h"
#include "log/rss.h"
#include "sources/source.h"
#include "sources/labelled_source.h"

struct text;

_Static_assert(PMEM_SHOW >= 1, "PMEM_SHOW must be at least 1 source");
_Static_assert(PMEM_SHOW_STACKS >= 0, "PMEM_SHOW_STACKS must be at least 0 sources");
_Static_assert(PMEM_SHOW_EMPTY >= 0, "PMEM_SHOW_EMPTY must be at least 0 sources");

// Upper bound of the memory that the lists of chosen sources take.
#define SNAPSHOT_SELECTION_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SOURCES * sizeof(uint64_t))

struct snapshot_plan {
	uint64_t number;
	int64_t time; // when the snapshot was taken (ns since 1970)
	const char *reason;
	const char *label; // NULL if none
	bool is_last;              // last of the process: also shows unchanged sources that hold memory
	bool is_child;             // fork's child: sources with inherited counts alone are left out
	struct counter total;      // over all sources
	struct counter total_before; // the total of the previous snapshot
	struct churn_peak peak;
	struct rss rss;
	struct memory_limit limit;
	struct change other;       // counters of SOURCE_OTHER
	struct change inherited;   // sum over sources that have only inherited counts
	struct change rest;        // sum over all other sources that are not shown
	uint64_t churn;            // bytes of churn since the last snapshot
	bool moved;                // a source's counters changed, perhaps only by calls for 0 bytes
	uint32_t sources;          // number of sources in use, without SOURCE_OTHER
	struct selection holding;  // sources that hold memory, by live bytes, largest first
	struct selection empty;    // changed sources that hold nothing now, by churn, largest first
	struct mapped mapped;
	// Index of this snapshot's counters in source_sums(). The other index is the last snapshot's.
	unsigned now;
	size_t room;  // bytes that the entries may take
	uint32_t repeated; // the first `repeated` sources of `holding` always have their stacks
	size_t bytes; // upper bound of the snapshot's bytes if the file has a header
	size_t bytes_anew; // upper bound of the snapshot's bytes in a new file, with all stacks
};

// Adds the counters of the labelled sources with this source's stack. They count allocations under
// a label. A labelled source with a number above the snapshot's `sources` is newer than the
// snapshot's sums, and is left out.
void entries_add_labels(
	const struct snapshot_plan *snapshot, uint32_t source, struct change *change);

// Returns the source's counters, with those of its labelled sources.
static inline struct change
entries_change(const struct snapshot_plan *snapshot, uint32_t source)
{
	const struct counter *sums = source_sums(source);
	struct change change = {sums[snapshot->now], sums[!snapshot->now]};

	if (labelled_source_any())
		entries_add_labels(snapshot, source, &change);
	return change;
}

// Looks up names for the frames of the stacks that will be written. The last snapshot looks up all
// names, any other at most PMEM_SYMBOLS_PER_SNAPSHOT.
void entries_name_frames(const struct snapshot_plan *snapshot);

// Returns true if the entry of a shown source must contain the stack. Called only if the file has a
// header already. `place` is the source's index among the chosen sources.
bool entries_tell_stack(
	const struct snapshot_plan *snapshot, uint32_t source, uint32_t place);

// Returns an upper bound of the bytes that a source's entry takes in the file, with its stack or
// without.
size_t entries_bytes(uint32_t source, bool stack);

// Returns how many bytes the entries {other}, {inherited} and {rest} take at most.
size_t entries_sums_bytes(void);

// Writes counters of blocks, for an entry or a label: " live:N, alloc:DELTA/TOTAL, ...".
void entries_write_blocks(struct text *text, const struct change *change);

void entries_write(struct text *text, const struct snapshot_plan *snapshot);

#endif
