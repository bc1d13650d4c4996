// SPDX-License-Identifier: BSD-2-Clause
// moments: remembers what all sources of a run had at many of its snapshots. These snapshots are
// called moments. For each moment, the results are the same as from rows/profile.h. A count is
// exact only if the log proves it.
//
// Memory grows with the number of changes of sources between successive moments.

#ifndef PMEM_CLI_MOMENTS_H
#define PMEM_CLI_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/certainty.h"
#include "log/run.h"
#include "log/snapshot.h"

// What is known of the run at one moment.
struct moment_known {
	struct summary summary;
	struct counts inherited; // what a forked child has from its parent (FORMAT.md)
	uint64_t order;          // a number that the caller passed for this moment
	uint64_t least, most; // lowest and highest live bytes in the snapshots since the moment before
	uint64_t snapshots;      // private: how many of the run's snapshots had been read
	// private: the snapshots, up to this moment, that may have hidden changes
	struct hidings hidings;
};

// Opens the moments of a run. From then on, moments_take() must be called for each snapshot of the
// run that is read.
struct moments *moments_open(struct run *run);
void moments_close(struct moments *moments);

// Takes a snapshot of this run, which log_next() has just returned. `is_one` is true if the
// snapshot is to be a moment. `order` is stored in the moment for the caller.
void moments_take(struct moments *moments, const struct snapshot *snapshot, bool is_one,
	uint64_t order);

// Must be called when no more snapshots come. Before this call, the functions below must not be
// called.
void moments_end(struct moments *moments);

const struct run *moments_run(const struct moments *moments);
size_t moments_count(const struct moments *moments);
const struct moment_known *moments_known(const struct moments *moments, size_t number);

// The sources are numbered in the order in which they were first seen, {other} included.
// moments_sources() returns how many sources there are. moments_source() returns a source.
// moments_changes() returns how often the source's counts change. moments_counts() returns the
// source's counts at a moment. *is_told becomes false if these counts are only a best estimate. The
// moments of one source must be requested in ascending order. *change must be 0 for the first
// request. The caller passes it on to the next request.
size_t moments_sources(const struct moments *moments);
const struct source *moments_source(const struct moments *moments, size_t source);
size_t moments_changes(const struct moments *moments, size_t source);
const struct counts *moments_counts(const struct moments *moments, size_t source, size_t number,
	size_t *change, bool *is_told);

#endif
