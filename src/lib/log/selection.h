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
// that qualify to be shown. If there is no memory for all, some are left out. Sources whose
// counters changed since the last snapshot qualify. In the last snapshot of a process, sources that
// hold memory qualify, too.
void selection_look(struct snapshot_plan *snapshot);

// Chooses what to show: sources that hold memory before the others. Also sets the upper bounds of
// the snapshot's bytes. The snapshot always fits into a log file of its own.
void selection_choose(struct snapshot_plan *snapshot);

// Called after a snapshot. If the table of modules is more than half full, frees the entries of
// unloaded modules that are not needed. An entry is needed if a source that has live blocks names
// the module in a frame. The snapshot's counters of the sources 1 to `sources` are in
// source_sums()[now]. A source whose counters have changed since then will be shown again: its
// modules are needed, too. If the thread dies in the middle, only names of some sources are lost.
void selection_reuse_modules(unsigned now, uint32_t sources);

#endif
