// SPDX-License-Identifier: BSD-2-Clause
// certainty: what the log tells of a source for sure. A snapshot does not show each source that
// moved: since when one that is not shown may have changed, and what it had at an earlier
// moment.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/run.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes. Private, as are the next two.
struct hiding {
	uint64_t snapshot;
	uint64_t live; // of sources that held, or hold, no more than this
};

// Those that matter: a later one hides at least as much as all before it that hid no more.
struct hidings {
	struct hiding items[HIDINGS_MAX]; // live decreases
	unsigned count;
};

struct certainty {
	struct hidings hidings; // by what the sources held before
	struct hidings hidings_marked[MARKS];
	struct hidings hidings_after; // by what they hold behind it
};

// Remembers the run as it is now, until the next time. A snapshot that shows a source again
// tells what it had before: of the mark more may be known later on than when it was made.
void run_mark(struct run *run, enum mark mark);
struct state source_marked(const struct run *run, const struct source *source, enum mark mark);

// Whether what `state` says is still so after `snapshots` snapshots of the run have been read
// (as run->snapshots or run->snapshots_marked has it): it was shown then, or no snapshot since
// can have hidden a change. Never for a source that was not shown so far.
bool source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots);

// The same; but in the first pmem's logs, where nothing is certain, it is enough that it was
// shown.
bool source_is_told(const struct run *run, const struct state *state, uint64_t snapshots);

// The variance that live bytes have by sampling (FORMAT.md, "Sampled logs"), and of what they have
// changed by since an earlier moment of the run: blocks that were live all the time are no part of
// that. 0: they were counted.
double certainty_variance(const struct run *run, const struct counts *counts);
double certainty_variance_of_change(
	const struct run *run, const struct counts *before, const struct counts *now);

// For whoever remembers more moments than there are marks (moments.h): one of them, by how many
// snapshots of the run had been read, and what may have been hidden from it by then.
struct then {
	uint64_t snapshots;
	const struct hidings *hidings;
};

// As source_is_exact() has it, by what may have been hidden from the moment.
bool certainty_tells(const struct hidings *hidings, const struct state *state);

// What a source had then. It was last shown with `shown`, and the first snapshot behind that which
// shows it again says that it had `before` in the one before it, if that `is_next`; by `after`, what
// may have been hidden behind each snapshot until then. Not of the first pmem's logs.
struct state certainty_then(const struct then *then, const struct hidings *after,
	const struct state *shown, const struct counts *before, bool is_next);

// Whether the snapshot, which log_next() has just given, proves that nothing it does not show has
// moved: then nothing was hidden from any moment since it was last shown.
bool certainty_is_whole(const struct snapshot *snapshot);

// For whoever reads a log, before the run's counters move on to the snapshot. Before its sources
// change: what they had is noted where a mark wants it. And after: which of the sources that it
// does not show may have changed all the same.
void certainty_before(const struct snapshot *snapshot);
void certainty_after(const struct snapshot *snapshot);

#endif
