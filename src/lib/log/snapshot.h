// SPDX-License-Identifier: BSD-2-Clause
// snapshot: one consistent look at all sources, and when it is written.
//
// Who may call: any thread that holds the guard. Never allocates. If another thread is writing a
// snapshot, returns at once. At exit, waits for that thread, for a second at most. If there is no
// file to write to, the snapshot is lost and counted. The caller is stopped while it writes the
// snapshot.

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
	SNAPSHOT_LOOK, // no snapshot was written for a long time
	SNAPSHOT_ASKED, // the program asked for it and waits
	SNAPSHOT_RESET, // as SNAPSHOT_ASKED, and the program counts anew from here
	SNAPSHOT_SANDBOX, // no later snapshot can be written: a note says so
};

// From this call on snapshots can be written. Called once by the constructor.
void snapshot_start(void);

// Writes that nothing is recorded from here on, and why (real.refusal). At exit another line says
// how much memory the process had.
void snapshot_refuse(void);

// Writes that another malloc() stands before ours. No snapshot is written until that malloc() has
// handed on a call. If it never does, the log ends as after snapshot_refuse().
void snapshot_note_before(void);

// Makes a fork's child a process of its own, which counts its changes from here on.
void snapshot_fork(void);

void snapshot_take(enum snapshot_reason reason);

// What snapshot_ask() returns if it wrote no snapshot.
enum snapshot_answer {
	SNAPSHOT_OFF = -1,  // snapshots are not written yet, or no longer
	SNAPSHOT_BUSY = -2, // other threads wrote for a second
	SNAPSHOT_LENT = -3, // the caller is a child of vfork()
	SNAPSHOT_UNWRITTEN = -4,
	SNAPSHOT_NO_ROOM = -5, // no memory for the base of a reset (tally.h)
};

// Writes a snapshot that the program asked for, at once, whatever the log's rate and the process's
// age. Returns its number. The label may be NULL.
int64_t snapshot_ask(enum snapshot_reason reason, const char *label);

// Returns true while allocations are recorded: from the start until the last snapshot.
bool snapshot_is_on(void);

// Returns false in a child of vfork(), which shares its parent's memory. Works before
// snapshot_start().
bool snapshot_is_own_process(void);

#endif
