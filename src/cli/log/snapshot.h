// SPDX-License-Identifier: BSD-2-Clause
// snapshot: what a snapshot of a log says. A line's part is parsed once, and carried as it is.
//
// A snapshot shows the sources that moved, and not all of these (see format.h). What a source
// that is not shown holds follows: it keeps what it had until it is shown again, as long as no
// snapshot may have hidden a change of it; source_is_exact() (certainty.h) says whether that is
// so.

#ifndef PMEM_CLI_SNAPSHOT_H
#define PMEM_CLI_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format.h"
#include "base/moment.h"

// Bytes and calls since the process began. live is alloc - free, and blocks is allocs - frees,
// where both are known (the first pmem's logs have no calls: these are 0 there).
struct counts {
	uint64_t live;   // bytes allocated and not yet freed
	uint64_t blocks; // allocations that hold them
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

// How much memory the process may come to, in bytes.
struct limit {
	uint64_t used, most; // most is 0 if the log does not say
	bool is_machine;     // of the machine; else of the control group
	uint64_t oom_kills;  // of processes in the group
};

// What stands above its entries, and where it has its place. All zero: before the first.
struct summary {
	uint64_t number;     // [N]
	uint64_t place;      // in its run, from 1, of those that were read
	bool is_next;        // it has the number behind that of the one read before it
	int64_t time_ms;     // Unix time; 0: not known
	int64_t interval_ms; // since the one before it, or the run's start; 0: not known
	int64_t wait_ms;     // behind it the next may have to wait for so long (expected_gap.h)
	char reason[32];     // "": not known
	char label[FORMAT_LABEL_BYTES + 1]; // that the program gave it; "": none
	uint64_t churn, threshold;
	struct counts total;
	struct counts before; // the total, less what the entries say has happened since then
	uint64_t peak;        // the most that was live so far; 0: not known
	int64_t peak_ms;      // Unix time
	uint64_t sources, sources_max, shown, hidden;
	bool has_emptied;     // the next two are there
	uint64_t empty_shown, empty; // sources that moved and hold nothing
	bool has_inherited;   // the next two are there
	uint64_t inherited, inherited_blocks; // of live, what a fork's child has from before it alone
	bool has_memory;      // the next are there
	uint64_t rss, file, outside;
	uint64_t hwm;         // the most that was resident; 0: not known
	struct limit limit;   // told once a second at most
	bool has_exact;       // the next is there: the log is a sampled one
	struct counts exact;  // of all blocks: alloc, allocs and frees
};

static inline bool
summary_is_reset(const struct summary *summary)
{
	return strcmp(summary->reason, "reset") == 0;
}

// Whether it is one that the moment, a label or a reset, may mean.
static inline bool
summary_is_named(const struct summary *summary, const struct moment *moment)
{
	return moment->kind == MOMENT_RESET ? summary_is_reset(summary)
		: strcmp(summary->label, moment->label) == 0;
}

// The thread that has allocated most of a source, and at least so many percent of it.
struct share {
	const char *name; // of the run's; NULL: none is known to have
	uint64_t id;      // the kernel's; 0: it is several of this name
	unsigned percent;
};

// An {ID} line: what the source has, and had at the run's snapshot before.
struct entry {
	struct source *source; // of kind SOURCE_REST: one that is in no run's sources
	struct counts now, before;
	struct share by;
	bool is_unseen; // its blocks may be freed past the library
};

enum thread_kind {
	THREAD_ONE,
	THREAD_ENDED, // all that are gone, and what a fork's child inherited
	THREAD_REST,  // all others that the snapshot does not show
};

// A thread's line: what it has, and had at the run's snapshot before. live and blocks are 0: a
// block may be freed by another thread than allocated it.
struct thread_entry {
	enum thread_kind kind;
	uint64_t id;      // the kernel's
	const char *name; // of the run's
	struct counts now, before;
};

// What was allocated under a label, and had been at the run's snapshot before.
struct label_entry {
	const char *name; // of the run's
	struct counts now, before;
};

struct snapshot {
	struct run *run;
	struct summary summary;
	struct entry *entries; // with {other} and {rest}
	size_t entry_count;
	struct counts rest; // of {rest}; 0: there is none
	struct thread_entry *threads; // what they have adds up to the total
	size_t thread_count;          // 0: the log does not tell
	struct label_entry *labels;   // those that moved
	size_t label_count;
};

#endif
