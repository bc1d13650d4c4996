// SPDX-License-Identifier: BSD-2-Clause
// snapshot: one consistent look at all sources, and when it is written.
//
// Who may call: any thread that holds the guard. Never allocates. The calling thread itself writes
// the snapshot. If another thread is writing a snapshot, the caller returns at once. At exit,
// before a sandbox, or if the program asked for the snapshot, the caller waits for that thread
// instead. It waits for a second at most. If there is no file to write to, the snapshot is lost and
// counted as a loss.

#ifndef PMEM_SNAPSHOT_H
#define PMEM_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

_Static_assert(PMEM_EXIT_MIN_CHURN >= 0, "PMEM_EXIT_MIN_CHURN must not be negative");

enum snapshot_reason {
	SNAPSHOT_CHURN,
	SNAPSHOT_SIGNAL,
	SNAPSHOT_EXIT, // shows every source that holds memory, also if it is unchanged
	SNAPSHOT_PEAK,
	SNAPSHOT_LOOK, // no snapshot was written for PMEM_LOOK_MS
	SNAPSHOT_ASKED, // the program asked for it and waits
	SNAPSHOT_RESET, // like SNAPSHOT_ASKED; growth is counted from this snapshot on (pmem_reset())
	SNAPSHOT_SANDBOX, // the program enters a sandbox where no snapshot can be written
};

// After this call, snapshots can be written. Called once by the constructor.
void snapshot_start(void);

// Writes a note that nothing is recorded from here on, and why (real.refusal). At exit another note
// says how much memory the process had.
void snapshot_refuse(void);

// Writes a note that another library's malloc() gets the program's calls before ours does. No
// snapshot is written until that malloc() has handed on a call. If it never hands on a call, the
// log ends as after snapshot_refuse().
void snapshot_note_before(void);

// Makes a fork's child a process of its own. Its first snapshot shows changes since the fork.
void snapshot_fork(void);

void snapshot_take(enum snapshot_reason reason);

// What snapshot_ask() returns if it wrote no snapshot.
enum snapshot_answer {
	SNAPSHOT_OFF = -1,  // snapshots are not written yet, or no longer
	SNAPSHOT_BUSY = -2, // other threads were writing snapshots for a second
	SNAPSHOT_LENT = -3, // the caller is a child of vfork()
	SNAPSHOT_UNWRITTEN = -4,
	SNAPSHOT_NO_ROOM = -5, // pmem_reset() had no memory to keep its counters (tally.h)
};

// Writes a snapshot that the program asked for. The snapshot is written at once, regardless of the
// log's rate and the process's age. Returns the snapshot's number. The label may be NULL.
int64_t snapshot_ask(enum snapshot_reason reason, const char *label);

// Returns true while allocations are recorded: from the start until the process's last snapshot.
bool snapshot_is_on(void);

// Returns false in a child of vfork(), which shares its parent's memory. Works before
// snapshot_start().
bool snapshot_is_own_process(void);

#endif
