// SPDX-License-Identifier: BSD-2-Clause
// moments: what all sources of a run had at many of its snapshots, as if each of these were the
// moment that is asked for (rows/profile.h): exactly, and only where the log tells it for sure.
//
// Memory grows with how often what a source has differs from one of these snapshots to the next.

#ifndef PMEM_CLI_MOMENTS_H
#define PMEM_CLI_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/certainty.h"
#include "log/run.h"
#include "log/snapshot.h"

// What is known of the run at one of them.
struct moment_known {
	struct summary summary;
	struct counts inherited; // of {inherited}
	uint64_t order;          // as whoever took it counts
	uint64_t least, most;    // live bytes, of the snapshots since the moment before
	uint64_t snapshots;      // private: of the run that had been read
	struct hidings hidings;  // private: what may have been hidden from it
};

// Of snapshots to come.
struct moments *moments_open(struct run *run);
void moments_close(struct moments *moments);

// Takes a snapshot of this run, which log_next() has just given; `is_one`: a moment of it.
void moments_take(struct moments *moments, const struct snapshot *snapshot, bool is_one,
	uint64_t order);

// No more snapshots come. From here on the rest may be asked.
void moments_end(struct moments *moments);

const struct run *moments_run(const struct moments *moments);
size_t moments_count(const struct moments *moments);
const struct moment_known *moments_known(const struct moments *moments, size_t number);

// Its sources, {other} too, in the order in which they were first seen; how often what one has
// changes; and what it had at a moment, or what is best known of that: *is_told is then false. Moments
// are asked for in their order: *change is 0 at first, and from then on where the last one was found.
size_t moments_sources(const struct moments *moments);
const struct source *moments_source(const struct moments *moments, size_t source);
size_t moments_changes(const struct moments *moments, size_t source);
const struct counts *moments_counts(const struct moments *moments, size_t source, size_t number,
	size_t *change, bool *is_told);

#endif
