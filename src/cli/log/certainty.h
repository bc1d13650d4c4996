// SPDX-License-Identifier: BSD-2-Clause
// certainty: decides which counts of a source the log proves. A snapshot may not show every source
// that changed. So this module finds since when an unshown source may have changed, and what it had
// at an earlier moment.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/run.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes of sources. This struct and the next two are private.
struct hiding {
	uint64_t snapshot;
	uint64_t live; // only sources with at most this many live bytes may be hidden
};

// The snapshots that may have hidden changes. If a later one may hide at least as much as an
// earlier one, the earlier one is not kept.
struct hidings {
	struct hiding items[HIDINGS_MAX]; // in order of snapshots, with decreasing `live`
	unsigned count;
};

struct certainty {
	struct hidings hidings; // here `live` limits what a source had before the snapshot
	struct hidings hidings_marked[MARKS];
	struct hidings hidings_after; // here `live` limits what a source had after the snapshot
};

// run_mark() remembers the run as it is now, until the next call with the same mark.
// source_marked() returns what the source had at the mark. A later snapshot that shows the source
// also says what it had before. So source_marked() may know more when more has been read.
void run_mark(struct run *run, enum mark mark);
struct state source_marked(const struct run *run, const struct source *source, enum mark mark);

// Returns true if `state` was still right after `snapshots` snapshots of the run. That number is
// run->snapshots or one of run->snapshots_marked. It is right if that snapshot showed the source.
// It is also right if no snapshot since the source was shown can have hidden a change. Returns
// false for a source that was never shown.
bool source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots);

// As source_is_exact(). But in the logs of the first pmem nothing is certain: for them it returns
// true if the source was ever shown.
bool source_is_told(const struct run *run, const struct state *state, uint64_t snapshots);

// certainty_variance() returns the variance that sampling causes in live bytes (FORMAT.md, "Sampled
// logs"). certainty_variance_of_change() returns that of the change of live bytes between two
// moments. Blocks that were live at both do not add to it. Both return 0 if all blocks are
// recorded.
double certainty_variance(const struct run *run, const struct counts *counts);
double certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now);

// A moment, for callers that remember more moments than there are marks (moments.h). `snapshots` is
// how many of the run's snapshots had been read by then. `hidings` are the snapshots up to then
// that may have hidden changes.
struct then {
	uint64_t snapshots;
	const struct hidings *hidings;
};

// As source_is_exact(), for a moment whose `hidings` the caller has.
bool certainty_tells(const struct hidings *hidings, const struct state *state);

// Returns what a source had at the moment `then`. It is called when a later snapshot shows the
// source again. `shown` is the source's state when it was last shown before that. `before` is what
// that later snapshot says of the snapshot before it. `is_next` is true if the snapshot before it
// was read, too. `after` has the snapshots read until then that may have hidden changes, by the
// live bytes after them. Not for the logs of the first pmem.
struct state certainty_then(const struct then *then, const struct hidings *after,
	const struct state *shown, const struct counts *before, bool is_next);

// Returns true if the snapshot proves that no unshown source has changed. Then no snapshot since
// each source was last shown has hidden a change. log_next() must just have returned the snapshot.
bool certainty_is_whole(const struct snapshot *snapshot);

// Called while a snapshot becomes part of its run. certainty_before() is called before the sources'
// states change, and saves these for the marks. certainty_after() is called after they have
// changed, and notes which unshown sources may have changed.
void certainty_before(const struct snapshot *snapshot);
void certainty_after(const struct snapshot *snapshot);

#endif
