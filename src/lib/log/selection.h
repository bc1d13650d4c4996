// SPDX-License-Identifier: BSD-2-Clause
// selection: which sources a snapshot shows, the sum of all others, and which modules no later
// snapshot needs.
//
// Who may call: the one thread that writes a snapshot. Never allocates but pages of its own,
// never blocks.

#ifndef PMEM_SELECTION_H
#define PMEM_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_plan;

// Looks at all sources. snapshot->now must be set. The selections get the sources that qualify to
// be shown, unsorted. They get all of them, unless there is no memory for that. In the last
// snapshot sources that hold memory qualify even if they have not moved.
void selection_look(struct snapshot_plan *snapshot);

// Chooses what to show: sources that hold memory before the others. Sets bounds for the snapshot,
// which always fits into a log of its own.
void selection_choose(struct snapshot_plan *snapshot);

// Called after a snapshot, when the table of modules becomes full. Frees the entries of unloaded
// modules that no source with memory names. `now` and the first `sources` say which of
// source_sums() the snapshot has shown. A source that has moved since keeps its modules, since it
// will be shown again. If the thread dies in the middle, only names of some sources are lost.
void selection_reuse_modules(unsigned now, uint32_t sources);

#endif
