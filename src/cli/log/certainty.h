// certainty: what the log tells of a source for sure. A snapshot does not show each source that
// moved: since when one that is not shown may have changed, and what it had at an earlier
// moment.

#ifndef PMEM_CLI_CERTAINTY_H
#define PMEM_CLI_CERTAINTY_H

#include "log/model.h"

enum { HIDINGS_MAX = 16 };

// A snapshot that may have hidden changes.
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

// The source changes in the snapshot that is being taken in: notes what it had before where a
// mark wants it, if no snapshot since the mark can have hidden a change. `is_next`: the
// snapshot before is the one that was read last.
void certainty_note(struct run *run, struct source *source, const struct counts *before,
	bool is_next);

// In the snapshot that is being taken in, sources that it does not show may have changed: those
// that held no more live bytes than this, and hold no more than that.
void certainty_hides(struct run *run, uint64_t held, uint64_t hold);

// After it, what is known of every source that was ever shown is so.
void certainty_is_whole(struct run *run);

#endif
