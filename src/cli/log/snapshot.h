// SPDX-License-Identifier: BSD-2-Clause
// snapshot: the contents of a log's snapshot. Each part of a line is parsed once and kept in its
// struct.
//
// A snapshot shows sources that moved, but maybe not all of them (see format.h). An unshown source
// keeps its counts until it is shown again, unless a snapshot may have hidden a change.
// source_is_exact() (certainty.h) tells if a change may be hidden.

#ifndef PMEM_CLI_SNAPSHOT_H
#define PMEM_CLI_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format.h"
#include "base/moment.h"

// Bytes and calls since the process began. live is alloc - free, and blocks is allocs - frees. The
// first pmem's logs have no calls: there these are 0. Mapped memory has the same counts: a mapping
// is a block.
struct counts {
	uint64_t live;   // bytes allocated and not yet freed
	uint64_t blocks; // allocations that hold these bytes
	uint64_t alloc;  // bytes
	uint64_t allocs; // calls
	uint64_t free;   // bytes
	uint64_t frees;  // calls
};

static inline void
counts_add(struct counts *sum, const struct counts *more)
{
	sum->live += more->live;
	sum->blocks += more->blocks;
	sum->alloc += more->alloc;
	sum->allocs += more->allocs;
	sum->free += more->free;
	sum->frees += more->frees;
}

static inline void
counts_subtract(struct counts *sum, const struct counts *less)
{
	sum->live -= less->live;
	sum->blocks -= less->blocks;
	sum->alloc -= less->alloc;
	sum->allocs -= less->allocs;
	sum->free -= less->free;
	sum->frees -= less->frees;
}

// The memory limit of the process, in bytes.
struct limit {
	uint64_t used, most; // most is 0 if the log does not say
	bool is_machine;     // true for the machine's memory, false for the control group's
	uint64_t oom_kills;  // of processes in the group
};

// A snapshot's totals, and its place in the run. All zero before the first snapshot.
struct summary {
	uint64_t number;     // [N]
	uint64_t place;      // its place in the run, from 1, among the snapshots read
	bool is_next;        // true if its number follows that of the snapshot read before
	int64_t time_ms;     // Unix time; 0 if not known
	int64_t interval_ms; // since the snapshot before or the run's start; 0 if not known
	int64_t wait_ms;     // how long the next one may have to wait (expected_gap.h)
	char reason[32];     // "" if not known
	char label[FORMAT_LABEL_BYTES + 1]; // given by the program; "" if none
	uint64_t churn, threshold;
	struct counts total;
	struct counts mapped; // memory that the program mapped itself, never in total; 0 if none
	struct counts before; // the total, less the changes that the entries report
	uint64_t peak;        // the most that was live so far; 0 if not known
	int64_t peak_ms;      // Unix time
	uint64_t sources, sources_max, shown, hidden;
	bool has_emptied;     // true if the next line's fields are known
	uint64_t empty_shown, empty; // sources that moved and hold nothing
	bool has_inherited;   // true if the next line's fields are known
	// the part of live that a fork's child has only from before it
	uint64_t inherited, inherited_blocks;
	bool has_memory;      // true if the fields up to limit are known
	uint64_t rss, file, outside;
	uint64_t hwm;         // the most that was resident; 0 if not known
	struct limit limit;   // logged once a second at most
	bool has_exact;       // true for a sampled log: the next field is known
	struct counts exact;  // alloc, allocs and frees of all blocks
};

static inline bool
summary_is_reset(const struct summary *summary)
{
	return strcmp(summary->reason, "reset") == 0;
}

// Returns true if the moment, a label or a reset, may mean this snapshot.
static inline bool
summary_is_named(const struct summary *summary, const struct moment *moment)
{
	return moment->kind == MOMENT_RESET ? summary_is_reset(summary)
		: strcmp(summary->label, moment->label) == 0;
}

// The thread that has allocated most of a source, and its least share in percent.
struct share {
	const char *name; // owned by the run; NULL if none is known
	uint64_t id;      // the kernel's; 0 if several threads have this name
	unsigned percent;
};

// An {ID} line: what the source has, and what it had at the run's snapshot before.
struct entry {
	struct source *source; // a source of kind SOURCE_REST is not among a run's sources
	struct counts now, before;
	struct share by;
	bool is_unseen; // true if its blocks may be freed without the library
};

enum thread_kind {
	THREAD_ONE,
	THREAD_ENDED, // all ended threads, and what a fork's child inherited
	THREAD_REST,  // all other threads, which the snapshot does not show
};

// A thread's line: what it has, and what it had at the run's snapshot before. live and blocks are
// 0, because a block may be freed by another thread than the one that allocated it.
struct thread_entry {
	enum thread_kind kind;
	uint64_t id;      // the kernel's
	const char *name; // owned by the run
	struct counts now, before;
};

// What was allocated under a label by now, and by the run's snapshot before.
struct label_entry {
	const char *name; // owned by the run
	struct counts now, before;
};

struct snapshot {
	struct run *run;
	struct summary summary;
	struct entry *entries; // including {other} and {rest}
	size_t entry_count;
	struct counts rest; // the counts of {rest}; 0 if there is none
	struct thread_entry *threads; // their counts add up to the total
	size_t thread_count;          // 0 if the log does not say
	struct label_entry *labels;   // only those that moved
	size_t label_count;
	// The entries of mapped memory, as a snapshot of run->mapped. NULL in such a snapshot.
	const struct snapshot *mapped;
};

#endif
