// SPDX-License-Identifier: BSD-2-Clause
// snapshot_builder: builds a snapshot line by line. A whole snapshot becomes part of its run.
//
// Until then only new sources, frames and stacks are added to its run. A snapshot with a line that
// cannot be read is left out after a warning.

#ifndef PMEM_CLI_SNAPSHOT_BUILDER_H
#define PMEM_CLI_SNAPSHOT_BUILDER_H

#include <stdbool.h>
#include <stddef.h>

#include "log/input.h"
#include "log/line.h"
#include "log/run.h"

enum {
	DEPTH_MAX = 1024, // frames of a stack; PMEM_FRAMES is at most 256
};

// The entries of blocks, or of mapped memory.
struct entries_of_kind {
	struct snapshot *snapshot; // where they are put
	size_t room;
	struct counts now, before; // their sums
	struct source inherited, rest; // the sources of {inherited} and {rest} entries
};

struct snapshot_builder {
	// How far its lines have come, in this order.
	enum {
		NO_SNAPSHOT,
		HAS_RULE,
		HAS_CHURN, // in the first pmem's format, entries follow this
		HAS_SUMMARY,
	} progress;
	struct snapshot snapshot, mapped;
	struct entries_of_kind blocks, maps; // of these two
	bool is_damaged; // true if one of its lines could not be read
	bool is_lost;    // true if lines outside of any snapshot have been reported
	size_t thread_room, label_room;
	struct counts threads_now, threads_before; // sums of its thread lines
	char *losses;              // its line of losses, or NULL
	struct entry held;         // the entry under way, until its frames are read
	struct entries_of_kind *held_of; // its kind; NULL if there is none
	struct source *open; // the source whose frames come next; NULL if they are known
	enum {
		STACK_NEW,
		STACK_SAME, // The frames so far are those of `open`.
		STACK_TWIN, // The frames differ from those of `open`.
		STACK_MANY, // The frames differ, and there are too many to tell apart.
	} stack;
	struct frame *frames[DEPTH_MAX]; // not used for STACK_SAME
	unsigned depth;
	struct input *input; // for messages
};

// Prepares a zeroed builder.
void snapshot_builder_open(struct snapshot_builder *builder, struct input *input);

// Begins a snapshot, at its [NUMBER]=== line.
void snapshot_builder_begin(struct snapshot_builder *builder, struct run *run,
	uint64_t number);

// Takes any line of a snapshot.
void snapshot_builder_take(struct snapshot_builder *builder, struct line *line);

// Returns true if the entries add up to the totals. Called at empty lines, which stand between
// entries and at a snapshot's end.
bool snapshot_builder_adds_up(const struct snapshot_builder *builder);

// Returns true if the entries kept have all that the lines of entries said.
bool snapshot_builder_has_all(const struct snapshot_builder *builder);

// Returns true if the lines of threads add up, too, or if there are none.
bool snapshot_builder_threads_add_up(const struct snapshot_builder *builder);

// Returns true for a whole snapshot of the first pmem, which ends where something else begins.
bool snapshot_builder_is_seeds(const struct snapshot_builder *builder);

// Drops the snapshot under way, which is not whole and never will be. A kill or a full disk may
// have cut it off before a new header or the log's end. `why` is any other cause, or NULL.
void snapshot_builder_drop(struct snapshot_builder *builder, const char *why);

// Applies the whole snapshot to its run and returns it; it is valid until the next one begins.
// Returns NULL if its numbers cannot be right: then it was dropped.
const struct snapshot *snapshot_builder_apply(struct snapshot_builder *builder);

// The part of it that changes the run. For snapshot_builder_apply() alone.
void snapshot_builder_move_run(struct snapshot_builder *builder);

void snapshot_builder_free(struct snapshot_builder *builder);

#endif
