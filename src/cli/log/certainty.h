// SPDX-License-Identifier: BSD-2-Clause
// certainty: decides which counts of a source the log proves. A snapshot may not show every source
// that changed. So this module finds since which snapshot an unshown source may have changed. It
// also finds what a source had at an earlier moment.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/run.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes of sources. This struct and the next two are private.
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
	struct hidings hidings_marked[MARKS];
	// `live` limits what a hidden source had at items[i].snapshot itself
	struct hidings hidings_after;
};

// A mark is a moment that a run remembers (run.h). run_mark() makes the run's present state the
// mark, until the next call with the same mark. source_marked() returns what the source had at the
// mark. When a later snapshot shows the source again, that snapshot also says what the source had
// one snapshot earlier. So the answer may become more certain as more is read.
void run_mark(struct run *run, enum mark mark);
struct state source_marked(const struct run *run, const struct source *source, enum mark mark);

// Returns true if `state` was still right when the first `snapshots` snapshots of the run had been
// read. `snapshots` is run->snapshots or an element of run->snapshots_marked. `state` is right if
// the last of these snapshots showed the source. `state` is also right if no snapshot since the
// source was shown can have hidden a change. Returns false for a source that was never shown.
bool source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots);

// Returns the same as source_is_exact(), with one exception. Logs of the first version of pmem
// prove nothing. For these logs, returns true if the source was ever shown.
bool source_is_told(const struct run *run, const struct state *state, uint64_t snapshots);

// certainty_variance() returns the variance that sampling causes in live bytes (FORMAT.md, "Sampled
// logs"). certainty_variance_of_change() returns the variance of the change of live bytes between
// two moments. Blocks that were live at both moments do not add to this variance. Both functions
// return 0 if all blocks are recorded.
double certainty_variance(const struct run *run, const struct counts *counts);
double certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now);

// A moment, for callers that remember more moments than a run has marks (moments.h). At the moment,
// the first `snapshots` snapshots of the run had been read. Some of them may have hidden changes:
// `hidings` lists these.
struct then {
	uint64_t snapshots;
	const struct hidings *hidings;
};

// Returns true if no snapshot in `hidings` can have hidden a change of the source since it had this
// `state`. The state is then right for the moment at which `hidings` were recorded.
bool certainty_tells(const struct hidings *hidings, const struct state *state);

// Returns what a source had at the moment `then`. Call it when a snapshot after that moment, here
// called N, shows the source again. Do not call it for logs of the first version of pmem.
//
// shown: the source's state in the last snapshot before N that showed it.
//
// before: the source's counts in snapshot N - 1, as snapshot N gives them.
//
// is_next: true if snapshot N - 1 was read.
//
// after: certainty->hidings_after, as it was before snapshot N was read.
struct state certainty_then(const struct then *then, const struct hidings *after,
	const struct state *shown, const struct counts *before, bool is_next);

// Returns true if the snapshot proves that all sources without an entry in it still have their last
// shown counts. log_next() must just have returned the snapshot.
bool certainty_is_whole(const struct snapshot *snapshot);

// Called while a snapshot becomes part of its run. certainty_before() is called before the sources'
// states change, and saves the old states for the marks. certainty_after() is called after they
// have changed, and records whether unshown sources may have changed.
void certainty_before(const struct snapshot *snapshot);
void certainty_after(const struct snapshot *snapshot);

#endif
