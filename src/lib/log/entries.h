// SPDX-License-Identifier: BSD-2-Clause
// entries: a snapshot, and its entries as lines of the log: each source's numbers, and its stack,
// or, once the file has that, who called in a few words.
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
#include "log/memory_limit.h"
#include "log/rss.h"
#include "sources/source.h"
#include "sources/labelled_source.h"

struct text;

_Static_assert(PMEM_SHOW >= 1, "PMEM_SHOW must be at least 1 source");
_Static_assert(PMEM_SHOW_STACKS >= 0, "PMEM_SHOW_STACKS must be at least 0 sources");
_Static_assert(PMEM_SHOW_EMPTY >= 0, "PMEM_SHOW_EMPTY must be at least 0 sources");

// Sources that qualify to be shown, by number.
struct selection {
	uint64_t *sources; // those that are shown come first, in their order
	uint32_t shown;
	uint32_t all; // that qualify, also those for which there was no room in sources[]
};

// The most memory that the selections take.
#define SNAPSHOT_SELECTION_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SOURCES * sizeof(uint64_t))

struct snapshot_plan {
	uint64_t number;
	int64_t time; // ns since 1970
	const char *reason;
	const char *label; // NULL: it has none
	bool is_last;              // it shows every source that holds memory, moved or not
	bool is_child;             // of a fork: it is silent about what it only inherited
	struct counter total;      // over all sources
	struct counter total_before; // by the snapshot before
	struct churn_peak peak;
	struct rss rss;
	struct memory_limit limit;
	struct change other;       // source 0
	struct change inherited;   // over all that the process has from before its fork alone
	struct change rest;        // over all others in neither selection, without source 0
	uint64_t churn;            // bytes
	bool moved;                // some source did, if only by calls for 0 bytes
	uint32_t sources;          // in use
	struct selection holding;  // largest live first
	struct selection empty;    // moved, and hold nothing now: most churn first
	unsigned now; // which of source_sums() are this snapshot's; the others are the last one's
	size_t room;  // that its entries may take
	uint32_t repeated; // of those that hold memory, how many tell their stacks again
	size_t bytes; // at most, in a file that goes on
	size_t bytes_anew; // the same in one that begins, where each stack is told
};

// Adds what the source's stack has under labels, as of this look: of those that were counted in it,
// the first `sources`.
void entries_add_labels(
	const struct snapshot_plan *snapshot, uint32_t source, struct change *change);

// What a source has, with that.
static inline struct change
entries_change(const struct snapshot_plan *snapshot, uint32_t source)
{
	const struct counter *sums = source_sums(source);
	struct change change = {sums[snapshot->now], sums[!snapshot->now]};

	if (labelled_source_any())
		entries_add_labels(snapshot, source, &change);
	return change;
}

// Looks up names for the frames of the stacks to be told; all of them in the last snapshot, else
// as many as one may take.
void entries_name_frames(const struct snapshot_plan *snapshot);

// Whether the stack of a source that is shown stands below its entry, in a file that goes on.
// `place` is its own, from 0, among those that hold memory, or among the others.
bool entries_tell_stack(
	const struct snapshot_plan *snapshot, uint32_t source, uint32_t place);

// An upper bound of what a source's entry takes in the file, with its stack or without.
size_t entries_bytes(uint32_t source, bool stack);

// The same for {other}, {inherited} and {rest}.
size_t entries_sums_bytes(void);

void entries_write(struct text *text, const struct snapshot_plan *snapshot);

#endif
