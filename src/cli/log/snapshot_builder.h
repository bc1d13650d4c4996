// SPDX-License-Identifier: BSD-2-Clause
// snapshot_builder: a snapshot put together line by line; whole, it becomes part of its run.
//
// Until then nothing of its run changes but that sources, frames and stacks become known. What
// cannot be read is told, and the snapshot left out.

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

struct snapshot_builder {
	// What its lines have said so far, in this order.
	enum {
		NO_SNAPSHOT,
		HAS_RULE,
		HAS_CHURN, // in the first pmem's format, entries follow this
		HAS_SUMMARY,
	} progress;
	struct snapshot snapshot;
	bool is_damaged; // a line of it could not be read
	bool is_lost;    // lines outside of any snapshot have been complained of
	size_t entry_room, thread_room, label_room;
	struct counts threads_now, threads_before; // sums of its lines of threads
	struct counts now, before; // sums of its entries
	char *losses;              // its line of them; NULL: none
	struct entry held;         // the entry under way, till its frames are read
	bool has_held;
	struct source *open; // whose frames come next; NULL: they are known
	enum {
		STACK_NEW,
		STACK_SAME, // so far the frames are those of `open`
		STACK_TWIN, // they are others
		STACK_MANY, // and there are too many to be told apart
	} stack;
	struct frame *frames[DEPTH_MAX]; // but for STACK_SAME
	unsigned depth;
	struct source inherited, rest; // stand for {inherited} and {rest} in entries
	struct input *input; // for messages
};

// At its [NUMBER]=== line.
void snapshot_builder_begin(struct snapshot_builder *builder, struct run *run,
	uint64_t number);

// Any line of a snapshot.
void snapshot_builder_take(struct snapshot_builder *builder, struct line *line);

// An empty line stands between entries and at a snapshot's end, which is where they add up.
bool snapshot_builder_adds_up(const struct snapshot_builder *builder);

// Whether the entries that it has are all that its lines of entries said.
bool snapshot_builder_has_all(const struct snapshot_builder *builder);

// Whether its lines of threads, if there are any, do so, too.
bool snapshot_builder_threads_add_up(const struct snapshot_builder *builder);

// The first pmem's snapshots end where something else begins.
bool snapshot_builder_is_seeds(const struct snapshot_builder *builder);

// What is under way is not whole, and will not be. A kill or a full disk may cut a snapshot off,
// and a new header follows; or nothing. `why`: it is something else.
void snapshot_builder_drop(struct snapshot_builder *builder, const char *why);

// The snapshot is whole: its run moves on to it. NULL: its numbers cannot be right, and it was
// dropped. It stays until the next begins.
const struct snapshot *snapshot_builder_apply(struct snapshot_builder *builder);

void snapshot_builder_free(struct snapshot_builder *builder);

#endif
