// pending: the snapshot under way: line by line, until it is whole or has to be left out.
//
// It changes nothing of its run but that it makes sources, frames and stacks known; what they
// hold is taken in when the snapshot has proved whole (accept.h).

#ifndef PMEM_CLI_PENDING_H
#define PMEM_CLI_PENDING_H

#include <stdbool.h>
#include <stddef.h>

#include "log/complaint.h"
#include "log/known.h"
#include "log/parse.h"
#include "log/model.h"

enum {
	DEPTH_MAX = 1024, // frames of a stack; PMEM_FRAMES is at most 256
};

// What its lines have said so far, in this order.
enum progress {
	NO_SNAPSHOT,
	HAS_RULE,
	HAS_CHURN, // in the first pmem's format, entries follow this
	HAS_SUMMARY,
};

struct pending {
	enum progress progress;
	struct snapshot snapshot;
	bool is_damaged; // a line of it could not be read
	bool is_lost;    // lines outside of any snapshot have been complained of
	bool has_emptied;
	size_t entry_room;
	struct counts sum; // of its entries
	char reason[32];
	char *losses;        // its line of them; NULL: none
	struct entry held;   // the entry under way, till its frames are read
	bool has_held;
	struct source *open; // whose frames come next; NULL: they are known
	enum {
		STACK_NEW,
		STACK_SAME, // so far the frames are those of `open`
		STACK_TWIN, // they are others
	} stack;
	struct frame *frames[DEPTH_MAX]; // but for STACK_SAME
	unsigned depth;
	struct source rest; // stands for {rest} in entries
	struct complaints *complaints;
};

// At a line that is [NUMBER]===, of which the number has been read; NO_SNAPSHOT before.
void pending_begin(struct pending *pending, struct run *run, uint64_t number);

// Any line of a snapshot.
void pending_take(struct pending *pending, enum line_kind kind, char *line);

// An empty line stands between entries and at a snapshot's end, which is where they add up.
bool pending_adds_up(const struct pending *pending);

// The first pmem's snapshots end where something else begins.
bool pending_is_seeds(const struct pending *pending);

// The entry under way has come to its end: before what the snapshot has is used.
void pending_settle(struct pending *pending);

// The snapshot is whole, or not, and over. Its entries stay until the next begins.
void pending_end(struct pending *pending);

void pending_free(struct pending *pending);

#endif
