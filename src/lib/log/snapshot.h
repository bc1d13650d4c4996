// SPDX-License-Identifier: BSD-2-Clause
// snapshot: one consistent look at all sources, and when it is written.
//
// Who may call: any thread that holds the guard. Never allocates. Waits for nobody, but at
// exit a moment for a snapshot under way: when another thread is writing one, or there is no
// file to write to, it returns, and the snapshot is another's or lost and counted. The caller
// stands still while the snapshot is written.

#ifndef PMEM_SNAPSHOT_H
#define PMEM_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

_Static_assert(PMEM_EXIT_MIN_CHURN >= 0, "PMEM_EXIT_MIN_CHURN must not be negative");

enum snapshot_reason {
	SNAPSHOT_CHURN,
	SNAPSHOT_SIGNAL,
	SNAPSHOT_EXIT, // shows every source that holds memory, moved or not
	SNAPSHOT_PEAK,
	SNAPSHOT_LOOK, // there was none for long
	SNAPSHOT_ASKED, // by the program, which waits for it
	SNAPSHOT_RESET, // the same; and it counts anew from here
	SNAPSHOT_SANDBOX, // no further one can be written: a note says so
};

// From here on snapshots can be written. Called once by the constructor.
void snapshot_start(void);

// A line in the log says that nothing is recorded from here on, and why: as real.refusal has it.
// At the exit another one says how much memory the process had.
void snapshot_refuse(void);

// Another malloc() stands before ours: a line in the log says so. Until a call was handed on by
// it no snapshot is written; when none ever was, the end is as after snapshot_refuse().
void snapshot_note_before(void);

// In a fork's child: its own process, its own deltas from here on.
void snapshot_fork(void);

void snapshot_take(enum snapshot_reason reason);

// Why there is none, instead of its number.
enum snapshot_answer {
	SNAPSHOT_OFF = -1,  // none are written, or not yet, or no more
	SNAPSHOT_BUSY = -2, // others wrote for a second
	SNAPSHOT_LENT = -3, // this is a child of vfork()
	SNAPSHOT_UNWRITTEN = -4,
	SNAPSHOT_NO_ROOM = -5, // for what it counts from
};

// One that the program asked for. It is written at once, whatever the rate and the process's age:
// its number. The label may be NULL.
int64_t snapshot_ask(enum snapshot_reason reason, const char *label);

// Whether anything is recorded: since the start, until the last snapshot.
bool snapshot_is_on(void);

// Whether the calling process is the one whose memory this is, and not a child of vfork(). Holds
// before snapshot_start().
bool snapshot_is_own_process(void);

#endif
