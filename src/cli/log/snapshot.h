// SPDX-License-Identifier: BSD-2-Clause
// snapshot: the contents of a log's snapshot. Each part of a line is parsed once and kept in its
// struct.
//
// A snapshot shows sources that have changed, but maybe not all of them (see format.h). A source
// that is not shown keeps its last counts. If the snapshot may have hidden a change of the source,
// source_is_exact() (certainty.h) returns false for the source.

#ifndef PMEM_CLI_SNAPSHOT_H
#define PMEM_CLI_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format.h"
#include "base/moment.h"

// Bytes and calls since the process began. live is alloc - free, and blocks is allocs - frees. The
// logs of the first version of pmem do not count calls: allocs and frees are 0. Mapped memory has
// the same counts, with mappings as blocks.
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

static inline bool
counts_are_zero(const struct counts *counts)
{
	static const struct counts zero;
	return memcmp(counts, &zero, sizeof(zero)) == 0;
}

static inline bool
counts_are_equal(const struct counts *a, const struct counts *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

// The memory limit of the process, in bytes.
struct limit {
	uint64_t used, most; // `most` is the limit; 0 if the log does not say
	bool is_machine; // true for the machine's memory, false for a control group's limit
	uint64_t oom_kills;  // processes killed in the control group because memory was short
	uint64_t swap_used, swap_most; // swap_most is 0 if there is no swap, or the log does not say
};

// Returns true if a process that has `all` sources by now was still starting when it had `sources`. A
// start is over when at most eight, or a tenth, of the sources are still to come.
static inline bool
summary_is_starting(uint64_t sources, uint64_t all)
{
	uint64_t few = all / 10 > 8 ? all / 10 : 8;
	return sources + few < all;
}

// A snapshot's totals and other numbers. All zero before the first snapshot.
struct summary {
	uint64_t number;     // the log's [N]
	uint64_t place;      // the snapshot's position among those read of its run: 1, 2, ...
	// true if `number` is 1 more than the number of the snapshot read before
	bool is_next;
	int64_t time_ms;     // Unix time; 0 if not known
	int64_t interval_ms; // time since the snapshot before, or since the run's start; 0 if not known
	// how long the limit on the log's size may delay the next snapshot (run_snapshots.c)
	int64_t wait_ms;
	char reason[32];     // "" if not known
	char label[FORMAT_LABEL_BYTES + 1]; // the program's label for this snapshot; "" if none
	uint64_t churn, threshold;
	struct counts total;
	// memory that the program mapped itself; `total` does not include this memory
	struct counts mapped;
	struct counts before; // `total` at the snapshot before, computed from the entries
	uint64_t peak;        // highest live bytes so far; 0 if not known
	int64_t peak_ms;      // when `peak` was reached; Unix time
	uint64_t sources, sources_max, shown, hidden;
	bool has_emptied;     // true if empty_shown and empty are known
	// number of changed sources that are empty now: shown ones, all
	uint64_t empty_shown, empty;
	bool has_inherited;   // true if inherited and inherited_blocks are known
	// The part of the live bytes and blocks that a forked child has from before its fork.
	uint64_t inherited, inherited_blocks;
	bool has_memory;      // true if rss, file and outside are known
	uint64_t rss, file, outside;
	uint64_t hwm;         // highest resident bytes so far; 0 if not known
	uint64_t alive;       // number of threads that are alive; 0 if one, or if not known
	bool has_shared;      // true if `shared` is known
	uint64_t shared;      // the part of `file` that is shared memory
	struct limit limit;   // logged at most once a second; zero in other snapshots
	bool has_exact;       // true for a sampled log: `exact` is known
	struct counts exact;  // alloc, allocs and frees of all blocks, and not only of the sampled ones
};

static inline bool
summary_is_reset(const struct summary *summary)
{
	return strcmp(summary->reason, "reset") == 0;
}

// Returns true if the snapshot matches the moment, which must be a label or a reset.
static inline bool
summary_is_named(const struct summary *summary, const struct moment *moment)
{
	return moment->kind == MOMENT_RESET ? summary_is_reset(summary)
		: strcmp(summary->label, moment->label) == 0;
}

// The thread that has allocated most of a source's bytes. `percent` is a lower bound of the
// thread's percentage.
struct share {
	const char *name; // owned by the run; NULL if not known
	uint64_t id;      // the kernel's thread id; 0 if several threads have this name
	unsigned percent;
};

// An entry of the snapshot, from a line {ID}: the source's counts now and at the snapshot before.
struct entry {
	struct source *source; // a source of kind SOURCE_REST is not in run->sources
	struct counts now, before;
	struct share by;
	bool is_unseen; // true if the source's blocks may be freed without the library's knowledge
};

enum thread_kind {
	THREAD_ONE,
	THREAD_ENDED, // all ended threads, and what a fork's child inherited
	THREAD_REST,  // the threads that the snapshot does not show, without ended threads
};

// A thread's line: its counts now and at the snapshot before. live and blocks are 0, because a
// block may be freed by another thread than its allocating thread.
struct thread_entry {
	enum thread_kind kind;
	uint64_t id;      // the kernel's thread id
	const char *name; // owned by the run
	struct counts now, before;
};

// The counts of a label, now and at the snapshot before.
struct label_entry {
	const char *name; // owned by the run
	struct counts now, before;
};

struct snapshot {
	struct run *run;
	struct summary summary;
	struct entry *entries; // including {other} and {rest}
	size_t entry_count;
	struct counts rest; // the counts of {rest}; 0 without {rest}
	struct thread_entry *threads; // their counts add up to the total
	size_t thread_count;          // 0 if the log does not say
	struct label_entry *labels;   // entries of the labels that have changed
	size_t label_count;
	// the entries of mapped memory, as a snapshot of run->mapped; NULL in that snapshot itself
	const struct snapshot *mapped;
};

#endif
