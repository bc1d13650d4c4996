// SPDX-License-Identifier: BSD-2-Clause
// certainty: decides which counts of a source the log proves. A snapshot may not show every source
// that changed. So this module finds since which snapshot an unshown source may have changed.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/run.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes of sources. The structs are private to the module, and to
// moments.h.
struct hiding {
	uint64_t snapshot;
	uint64_t live; // the snapshot cannot have hidden a source with more live bytes than this
};

// The snapshots that may have hidden changes. An earlier snapshot is dropped if a later snapshot
// has an equal or larger `live`. The reason: for each source, only the latest snapshot that may
// have hidden a change is needed.
struct hidings {
	struct hiding items[HIDINGS_MAX]; // in the order of snapshots, with decreasing `live`
	unsigned count;
};

struct certainty {
	// `live` limits what a hidden source had at the snapshot before items[i].snapshot
	struct hidings hidings;
	// `live` limits what a hidden source had at items[i].snapshot itself
	struct hidings hidings_after;
};

// Returns true if source->now is what the source had at the run's last snapshot. Either that
// snapshot showed the source, or no snapshot since it was shown can have hidden a change. Returns
// false for a source that was never shown. moments.h tells what it had at earlier snapshots.
bool source_is_exact(const struct run *run, const struct source *source);

// Returns the same as source_is_exact(), with one exception. Logs of the first version of pmem
// prove nothing. For these logs, returns true if the source was ever shown.
bool source_is_told(const struct run *run, const struct source *source);

// certainty_variance() returns the variance that sampling causes in live bytes (FORMAT.md, "Sampled
// logs"). certainty_variance_of_change() returns the variance of the change of live bytes between
// two moments. Blocks that were live at both moments do not add to this variance. Both functions
// return 0 if all blocks are recorded.
double certainty_variance(const struct run *run, const struct counts *counts);
double certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now);

// Returns true if no snapshot in `hidings` can have hidden a change since the source had this
// `state`. The state is then right for the moment at which `hidings` were recorded.
bool certainty_tells(const struct hidings *hidings, const struct state *state);

// Called when the snapshot has changed its sources' states. Records whether unshown sources may have
// changed. Returns true if the snapshot proves that no unshown source has changed since it was last
// shown. Then no snapshot has hidden a change, up to now and up to each earlier moment.
bool certainty_after(const struct snapshot *snapshot);

#endif
