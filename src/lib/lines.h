// lines: a snapshot as the lines of a log: format.h in practice.
//
// Who may call: the one thread that writes a snapshot. Never allocates. It changes nothing but
// its own notes of what the file has been told.

#ifndef PMEM_LINES_H
#define PMEM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "counter.h"
#include "table.h"
#include "rss.h"

_Static_assert(PMEM_SHOW >= 1, "PMEM_SHOW must be at least 1 source");
_Static_assert(PMEM_SHOW_EMPTY >= 0, "PMEM_SHOW_EMPTY must be at least 0 sources");

// The process, as its header shows it.
struct process {
	pid_t pid;
	pid_t ppid;
	int64_t start;         // ns since 1970
	uint64_t run;          // differs from that of any other
	pid_t forked_from;     // 0: it was not forked
	uint64_t forked_snapshots; // how many its parent had written by then
	const char *note;      // what a reader of all its snapshots must know, or NULL
};

// One source's counters by the snapshot and by the one before.
struct change {
	struct counter now;
	struct counter before;
};

// Sources that qualify to be shown, by number.
struct selection {
	uint64_t *sources; // those that are shown come first, in their order
	uint32_t shown;
	uint32_t all; // that qualify, also those for which there was no room in sources[]
};

// The most memory that the selections take.
#define SNAPSHOT_SELECTION_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_SOURCES * sizeof(uint64_t))

struct snapshot {
	uint64_t number;
	int64_t time; // ns since 1970
	const char *reason;
	struct counter total;      // over all sources
	struct rss rss;
	struct change other;       // source 0
	struct change rest;        // over all sources in neither selection, without source 0
	uint64_t churn;            // bytes
	bool moved;                // some source did, if only by calls for 0 bytes
	uint32_t sources;          // in use
	struct selection holding;  // largest live first
	struct selection empty;    // moved, and hold nothing now: most churn first
	unsigned now; // which of source_sums() are this snapshot's; the others are the last one's
	size_t bytes; // at most, in the file
};

// Looks up names for the frames of the sources shown; all of them, or as many as one snapshot
// may take.
void lines_name_frames(const struct snapshot *snapshot, bool all);

// An upper bound of what a source's entry takes in the file.
size_t lines_entry_bytes(uint32_t source);

// The same for everything else.
size_t lines_other_bytes(void);

// Writes the process's note alone, behind the file's header where that is due.
void lines_write_note(const struct process *process);

// Forgets that the file has lines for modules that are left (roster.h).
void lines_forget_modules(void);

// Writes it, and the file's header where that is due. False: nothing is in the file.
bool lines_write(const struct snapshot *snapshot, const struct process *process);

#endif
