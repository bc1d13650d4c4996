// SPDX-License-Identifier: BSD-2-Clause
// snapshot_builder: builds a snapshot line by line. When the snapshot is complete, its counts
// become the run's counts.
//
// Before that, only new sources, frames and stacks are added to the run. If a line of a snapshot
// cannot be read, the snapshot is left out after a warning.

#ifndef PMEM_CLI_SNAPSHOT_BUILDER_H
#define PMEM_CLI_SNAPSHOT_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "log/input.h"
#include "log/line.h"
#include "log/run.h"

enum {
	// a stack has at most this many frames; the library's limit PMEM_FRAMES is at most 256
	DEPTH_MAX = 1024,
};

// A snapshot's entries of one kind: one struct for malloc's blocks, one for memory that the program
// mapped itself.
struct entries_of_kind {
	struct snapshot *snapshot; // the snapshot that the entries are added to
	size_t room;
	struct counts now, before; // sums over the entries
	struct source inherited, rest; // the sources of entries {inherited} and {rest}
};

struct snapshot_builder {
	// Which of the snapshot's first lines have been read. The lines come in this order.
	enum {
		NO_SNAPSHOT,
		HAS_RULE,
		HAS_CHURN, // in logs of pmem's first version, entries follow the line churn=
		HAS_SUMMARY,
	} progress;
	struct snapshot snapshot, mapped;
	// `blocks` has the entries of `snapshot`, `maps` the entries of `mapped`
	struct entries_of_kind blocks, maps;
	bool is_damaged; // true if a line of the snapshot could not be read
	bool is_lost; // true if unreadable lines outside of any snapshot were already reported
	size_t thread_room, label_room;
	struct counts threads_now, threads_before; // sums over the snapshot's thread lines
	char *losses;              // the text of the snapshot's line of losses, or NULL if absent
	struct entry held;         // the last entry read, until its frames are read, too
	// the entries to which `held` will be added; NULL if `held` is empty
	struct entries_of_kind *held_of;
	// the source whose frames are being read; NULL if its frames are known, and are skipped
	struct source *open;
	enum {
		STACK_NEW,
		STACK_SAME, // The frames so far are equal to the frames of `open`.
		STACK_TWIN, // The frames differ from the frames of `open`.
		STACK_MANY, // The frames differ, and the run has no room for new frames.
	} stack;
	// the frames read so far; not filled in state STACK_SAME, since `open` has the same frames
	struct frame *frames[DEPTH_MAX];
	unsigned depth;
	struct input *input; // for messages
};

// Prepares a zeroed struct.
void snapshot_builder_open(struct snapshot_builder *builder, struct input *input);

// Begins a snapshot, after its line [NUMBER]===.
void snapshot_builder_begin(struct snapshot_builder *builder, struct run *run,
	uint64_t number);

// Takes any line within a snapshot.
void snapshot_builder_take(struct snapshot_builder *builder, struct line *line);

// Copies the fields of a LINE_MEMORY. Private to snapshot_builder*.c.
void snapshot_builder_take_memory(struct summary *summary, const struct summary *memory);

// Returns true if the counts of the entries' lines add up to the totals. Called at each empty line,
// because empty lines are between entries and at a snapshot's end.
bool snapshot_builder_adds_up(const struct snapshot_builder *builder);

// For assertions: returns true if the snapshot's entries have the same sum as the entry lines that
// were read.
bool snapshot_builder_has_all(const struct snapshot_builder *builder);

// Returns true if the thread lines add up to the totals, or if there are no thread lines.
bool snapshot_builder_threads_add_up(const struct snapshot_builder *builder);

// Returns true if the snapshot is of pmem's first version, and undamaged so far. In that version, a
// snapshot has no mark at its end. It is complete when another snapshot or another piece of the log
// begins.
bool snapshot_builder_is_seeds(const struct snapshot_builder *builder);

// Drops the snapshot that is being built, because it will not be completed. Reports the reason,
// `why`. If a kill or a full disk cut the snapshot off, `why` is NULL, and nothing is reported.
void snapshot_builder_drop(struct snapshot_builder *builder, const char *why);

// Completes the snapshot: its counts become the run's counts. Returns the snapshot, which is valid
// until the next snapshot begins. If the snapshot's numbers cannot be right, reports that, drops
// the snapshot and returns NULL.
const struct snapshot *snapshot_builder_apply(struct snapshot_builder *builder);

// The part of snapshot_builder_apply() that changes the run. Not to be called by others.
void snapshot_builder_move_run(struct snapshot_builder *builder);

void snapshot_builder_free(struct snapshot_builder *builder);

#endif
