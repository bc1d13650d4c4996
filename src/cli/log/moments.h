// SPDX-License-Identifier: BSD-2-Clause
// moments: what all sources of a run had at many of its snapshots. The result for each is the same
// as if it were the requested moment (rows/profile.h). It is exact, and known only if the log
// proves it.
//
// Memory grows with the number of changes of sources from one of these snapshots to the next.

#ifndef PMEM_CLI_MOMENTS_H
#define PMEM_CLI_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/certainty.h"
#include "log/run.h"
#include "log/snapshot.h"

// What is known of the run at one of these moments.
struct moment_known {
	struct summary summary;
	struct counts inherited; // of {inherited}
	uint64_t order;          // the caller's own counter
	uint64_t least, most;    // live bytes in the snapshots since the moment before
	uint64_t snapshots;      // private: how many of the run's snapshots had been read
	struct hidings hidings;  // private: the changes that may have been hidden from it
};

// Opens the moments of a run, for snapshots still to come.
struct moments *moments_open(struct run *run);
void moments_close(struct moments *moments);

// Adds a snapshot of this run, which log_next() has just returned. `is_one` is true if the snapshot
// is a moment.
void moments_take(struct moments *moments, const struct snapshot *snapshot, bool is_one,
	uint64_t order);

// Says that no more snapshots come. The functions below may be called only from then on.
void moments_end(struct moments *moments);

const struct run *moments_run(const struct moments *moments);
size_t moments_count(const struct moments *moments);
const struct moment_known *moments_known(const struct moments *moments, size_t number);

// moments_source() gives the run's sources, {other} included, in the order in which they were first
// seen. moments_changes() gives how often a source's counts change. moments_counts() gives its
// counts at a moment; *is_told is false if these are only the best known. Moments must be requested
// in ascending order. *change is 0 at first; each call leaves its place there for the next.
size_t moments_sources(const struct moments *moments);
const struct source *moments_source(const struct moments *moments, size_t source);
size_t moments_changes(const struct moments *moments, size_t source);
const struct counts *moments_counts(const struct moments *moments, size_t source, size_t number,
	size_t *change, bool *is_told);

#endif
