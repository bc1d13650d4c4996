// SPDX-License-Identifier: BSD-2-Clause
// selection: chooses which sources a snapshot shows, sums up all others, and finds which modules no
// later snapshot needs.
//
// Who may call: the one thread that writes a snapshot. Never allocates but pages of its own,
// never blocks.

#ifndef PMEM_SELECTION_H
#define PMEM_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_plan;

// Looks at all sources. snapshot->now must be set. Fills the selections, unsorted, with the sources
// that qualify to be shown. A source qualifies if its counters changed since the last snapshot. In
// a process's last snapshot, a source that holds memory qualifies, too. If memory is short, some
// sources are left out.
void selection_look(struct snapshot_plan *snapshot);

// Chooses what to show. Sources that hold memory come before the others. Also sets the upper bounds
// of the snapshot's bytes. The snapshot always fits into a log file of its own.
void selection_choose(struct snapshot_plan *snapshot);

// Called after a snapshot. If the table of modules is more than half full, frees the entries of
// unloaded modules that are not needed. An entry is needed if a source holds memory and has a frame
// in the module. It is also needed if the counters of a source with such a frame have changed since
// the snapshot. That source will be shown again. The snapshot's counters of the sources 1 to
// `sources` are in source_sums()[now]. If the thread dies in the middle, only names of some sources
// are lost.
void selection_reuse_modules(unsigned now, uint32_t sources);

#endif
