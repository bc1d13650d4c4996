// SPDX-License-Identifier: BSD-2-Clause
// selection: which sources a snapshot shows, what the rest of them adds up to, and whose modules no
// snapshot will need again.
//
// Who may call: the one thread that writes a snapshot. Never allocates but pages of its own,
// never blocks.

#ifndef PMEM_SELECTION_H
#define PMEM_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

struct snapshot_plan;

// Looks at all sources; `now` of the snapshot is set. The selections get those that qualify to be
// shown, unsorted; all of them, unless there is no memory for that. In the last snapshot those
// that hold memory qualify though they have not moved.
void selection_look(struct snapshot_plan *snapshot);

// What to show: those that hold memory before the others, and bounds for the snapshot, which
// surely fits into a log of its own.
void selection_choose(struct snapshot_plan *snapshot);

// After a snapshot, when modules begin to find no room: the entry of one that is gone becomes
// another's, once no source that names it holds memory. `now` says which of source_sums() the
// snapshot has shown, of the first `sources`: a source that has moved since keeps its modules,
// since it is to be shown again. Left in the middle, nothing is lost but some sources' names.
void selection_reuse_modules(unsigned now, uint32_t sources);

#endif
