// model: what a log tells: runs, each with its modules, frames and sources; and snapshots.
//
// A snapshot shows the sources that moved, and not all of these (see format.h). What a source
// that is not shown holds follows: a source keeps what it had until it is shown again, as long
// as no snapshot may have hidden a change of it; source_is_exact() (certainty.h) says whether
// that is so.

#ifndef PMEM_CLI_MODEL_H
#define PMEM_CLI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/counts.h"

struct symbolized; // symbols.h

struct module {
	uint64_t start, end;  // addresses; 0, 0: the log does not say
	const char *build_id; // lower-case hexadecimal, "": none
	const char *path;     // as in the log, \xHH read
};

// One return address of a stack. In frame 0 it is the entry of the hook that was called.
struct frame {
	uint64_t address;            // 0: not known
	const struct module *module; // NULL: not known
	const char *function;        // the log's name for it, "": none
	uint64_t offset;             // from that function; without one, from the module's base
	unsigned number;             // 0, 1, ... in the order in which the run's log has them
	bool is_hook;                // a frame 0
	const struct symbolized *symbolized; // NULL until symbols.h has looked
};

enum source_kind {
	SOURCE_STACK,
	SOURCE_OTHER, // {other}: what could not be told apart
	SOURCE_REST,  // {rest}: all that is not told one by one
};

// What is known of a source after some snapshot.
struct state {
	struct counts counts;
	uint64_t shown_in; // index of the snapshot that last showed it; NEVER_SHOWN
};

#define NEVER_SHOWN UINT64_MAX

// A run can remember two earlier moments.
enum mark {
	MARK_AT,
	MARK_BASE,
	MARKS
};

struct source {
	enum source_kind kind;
	uint64_t id;   // another source of the run may have it, too: the same code loaded elsewhere
	bool is_twin;  // an earlier one has
	struct frame **frames; // innermost first
	unsigned depth;
	struct state now;
	struct state marked[MARKS]; // private: see source_marked()
	uint64_t mark[MARKS];
	bool reads_again; // private: its frames may have got names since
	uint64_t entry; // private: which entry of the snapshot under way is its own
	struct source *next; // private
};

// `losses`, by name, as of the last snapshot.
struct loss {
	const char *name;
	uint64_t count;
};

// A process, from its start or exec to its end.
struct run {
	uint64_t id;                           // run=; 0: the log has none
	uint64_t last_number;                  // of its last snapshot
	int64_t last_time_ms;                  // 0: not known
	long pid, ppid, forked_from, pidns;    // 0: not known
	const char *exe, *host, *start;        // "" where not known; start as in the log
	int64_t start_ms;                      // Unix time; 0: not known
	unsigned show, show_empty;             // most sources that a snapshot shows; 0: not known
	bool is_seeds;                         // the first pmem's format: no totals, no times
	struct source **sources;               // in the order in which they were first seen
	size_t source_count;
	struct source *other;                  // {other}; NULL: not seen. Not among sources
	struct module **modules;
	size_t module_count;
	struct frame **frames;                 // all of them, by number
	size_t frame_count;
	struct loss *losses;
	size_t loss_count;
	const char **notes;
	size_t note_count;
	uint64_t snapshots;                       // that have been read
	uint64_t torn;                         // that were left out: cut off, or
	uint64_t damaged;                      // damaged
	uint64_t missing;                      // numbers between first and last that no snapshot has
	bool ended;                            // its last snapshot says reason=exit
	struct counts total;                   // after the last snapshot
	struct counts total_first;             // after its first one
	uint64_t first_number;                 // of that one
	int64_t first_time_ms;
	struct counts total_marked[MARKS];
	uint64_t snapshots_marked[MARKS];         // .snapshots when it was marked; 0: never
	struct known *known;                   // private
	struct certainty *certainty;           // of certainty.h
};

// One {ID} entry of the snapshot at hand.
struct entry {
	struct source *source; // of kind SOURCE_REST: one that is in no run's sources
	struct counts counts;
	struct counts more;    // since the run's last snapshot: alloc, allocs, free, frees alone
};

struct snapshot {
	struct run *run;
	uint64_t index;  // in the run, from 0: the run's snapshots that were read before
	uint64_t number; // as in the log
	int64_t time_ms; // Unix time; 0: not known
	const char *reason; // "": not known
	uint64_t churn, threshold;
	struct counts total;
	uint64_t sources, sources_max, shown, hidden;
	uint64_t empty_shown, empty; // sources that moved and hold nothing
	bool has_memory;             // the next are there
	uint64_t rss, file, outside;
	struct entry *entries; // with {other} and {rest}
	size_t entry_count;
	struct counts rest;    // of {rest}; 0: there is none
};

#endif
