// SPDX-License-Identifier: BSD-2-Clause
// loss: counts every way in which the log can say less than the whole.
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never
// blocks. Counts only grow; each snapshot shows all counts that are not zero.

#ifndef PMEM_LOSS_H
#define PMEM_LOSS_H

#include <stdint.h>

enum loss {
	LOSS_UNTRACKED_FREES, // blocks freed or resized that have no tag of ours
	LOSS_UNSEEN_FREES,    // blocks of ours that were freed without our seeing it, noticed later
	LOSS_DAMAGED,         // blocks of ours, freed or resized, whose tag the program has overwritten
	LOSS_TAGS_FULL,       // allocations that found no room for a tag: not counted, nor their frees
	LOSS_NESTED,          // allocations by a handler that interrupted a hook: counted under {other}
	LOSS_TABLE_FULL,      // allocations whose stack found no room: counted under {other}
	LOSS_LABELS_FULL,     // stacks whose label found no room: recorded without a label
	LOSS_STACKS_CUT,      // sources deeper than PMEM_FRAMES: their outer end is missing
	LOSS_STACKS_SHORT,    // stacks that end too early: the next frame was not found
	LOSS_STACKS_ENDED,    // sources whose stack ends too early, at code without unwind information
	LOSS_SLOTS_SHARED,    // threads that found all slots taken: they share one, and are slower
	// Modules for which the table of modules had no room, each counted once. Frames in them are
	// shown as addresses.
	LOSS_MODULES_FULL,
	LOSS_SYMBOLS_FULL,    // function names that found no room
	LOSS_MAPPINGS_MISSED, // calls that mapped or unmapped memory and are not recorded
	LOSS_SNAPSHOTS_DROPPED, // snapshots that could not be written
	// With PMEM_ORACLE only: stacks by the result of comparing the unwinder with backtrace().
	LOSS_ORACLE_EQUAL,    // both found the same frames
	// The same frames, but backtrace() ended at code that we cross by frame pointers.
	LOSS_ORACLE_FURTHER,
	LOSS_ORACLE_DIFFERS,  // they found different frames
	// With PMEM_CHECK only: checks that failed.
	LOSS_CHECKS_FAILED,
	LOSSES
};

void loss_count(enum loss loss);
uint64_t loss_get(enum loss loss);

// Returns the name under which the log shows this loss.
const char *loss_name(enum loss loss);

// Called in a fork's child. Sets the child's count of LOSS_SNAPSHOTS_DROPPED to 0. Snapshots that
// the parent could not write are not missing in the child's log.
void loss_fork(void);

#endif
