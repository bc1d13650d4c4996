// SPDX-License-Identifier: BSD-2-Clause
// moments: what a run had at snapshots that were read before. Such a snapshot is called a moment. A
// caller chooses any number of moments while the log is read. Of each source, the counts are told at
// each moment, and whether the log proves them.
//
// Memory grows with the number of changes of sources from moment to moment. A moment that is set
// again and again needs no more memory than one.

#ifndef PMEM_CLI_MOMENTS_H
#define PMEM_CLI_MOMENTS_H

#include <stdbool.h>

#include "log/certainty.h"
#include "log/run.h"
#include "log/snapshot.h"

struct moment_known {
	struct run *run;
	struct summary summary;   // of the moment's snapshot; all zero if the moment was never set
	struct counts inherited;  // what a forked child has from its parent (FORMAT.md)
	// what else the run had at the moment; NULL if moment_new() was not asked for it
	struct moment_more *more;
	struct hidings hidings;   // private: the snapshots up to the moment that may have hidden changes
};

struct moment_more {
	struct threads threads;
	struct labels labels;
	struct fullest fullest; // up to the moment
	struct hidings hidings; // private: the same, for mapped memory
};

// Makes a moment of the run that is not set. The run owns it. With `has_more`, the moment also has
// threads, labels, and the sources of mapped memory.
struct moment_known *moment_new(struct run *run, bool has_more);

// Sets the moment to the snapshot, which log_next() has just returned.
void moment_set(struct moment_known *moment, const struct snapshot *snapshot);

void moment_free(struct moment_known *moment);

// Returns the source's state at the moment; valid until the next snapshot is read. If *is_told
// becomes false, the counts are only the best estimate. A later snapshot that shows the source also has its
// counts one snapshot before, and may make the answer certain. For logs of pmem's first version, *is_told is
// true if the source was ever shown.
const struct state *moment_state(const struct moment_known *moment, const struct source *source,
	bool *is_told);

// Returns the counts of a label at the moment. `name` must be the run's own pointer to the name, as
// run_name() returns it.
struct counts moment_label(const struct moment_known *moment, const char *name);

// The following are called by the code that reads a log. moments_before() is called before a
// snapshot becomes part of its run. moments_proven() is called after it, if certainty_after() has
// returned true.
void moments_before(const struct snapshot *snapshot);
void moments_proven(const struct run *run);
void moments_free(struct run *run);

#endif
