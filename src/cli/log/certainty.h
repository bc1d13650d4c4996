// SPDX-License-Identifier: BSD-2-Clause
// certainty: what the log proves of a source. A snapshot does not show every source that moved. So
// this file finds since when an unshown source may have changed, and what it had at an earlier
// moment.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/run.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes. This struct and the next two are private.
struct hiding {
	uint64_t snapshot;
	uint64_t live; // It may hide changes of sources with at most this much.
};

// The snapshots that matter. A later one makes an earlier one needless if it may hide at least as
// much.
struct hidings {
	struct hiding items[HIDINGS_MAX]; // live decreases
	unsigned count;
};

struct certainty {
	struct hidings hidings; // by the live bytes of sources before the snapshot
	struct hidings hidings_marked[MARKS];
	struct hidings hidings_after; // by their live bytes after it
};

// run_mark() remembers the run as it is now, until the next call with this mark. source_marked()
// returns what the source had then. A later snapshot that shows the source says what it had before.
// So more may be known of a mark later on.
void run_mark(struct run *run, enum mark mark);
struct state source_marked(const struct run *run, const struct source *source, enum mark mark);

// Returns true if `state` still held after `snapshots` snapshots of the run (as in run->snapshots
// or run->snapshots_marked). Either the source was shown then, or no snapshot since can have hidden
// a change. Returns false for a source that was never shown.
bool source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots);

// Does the same. But nothing is certain in the first pmem's logs: for them it is enough that the
// source was shown.
bool source_is_told(const struct run *run, const struct state *state, uint64_t snapshots);

// Return the variance of live bytes by sampling (FORMAT.md, "Sampled logs"), and that of their
// change since an earlier moment. Blocks that were live all the time do not count in the change.
// Both return 0 if all blocks are recorded.
double certainty_variance(const struct run *run, const struct counts *counts);
double certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now);

// A moment, for callers that remember more moments than there are marks (moments.h). It has the
// number of the run's snapshots read by then, and what may have been hidden from it since.
struct then {
	uint64_t snapshots;
	const struct hidings *hidings;
};

// Does the same as source_is_exact(), by what may have been hidden from the moment.
bool certainty_tells(const struct hidings *hidings, const struct state *state);

// Returns what a source had at the moment `then`. `shown` is its state as last shown. `before` is
// what the next snapshot to show it says of the snapshot before that one. `is_next` is true if that
// one was read, too. `after` is what each snapshot until then may have hidden. Not for the first
// pmem's logs.
struct state certainty_then(const struct then *then, const struct hidings *after,
	const struct state *shown, const struct counts *before, bool is_next);

// Returns true if the snapshot, which log_next() has just returned, proves that no unshown source
// has moved. Then nothing was hidden from any moment since each source was last shown.
bool certainty_is_whole(const struct snapshot *snapshot);

// For the reader of a log, before the run's counters move on to the snapshot. certainty_before()
// runs before the sources change, and saves their states for the marks. certainty_after() runs
// after that, and notes which unshown sources may have changed.
void certainty_before(const struct snapshot *snapshot);
void certainty_after(const struct snapshot *snapshot);

#endif
