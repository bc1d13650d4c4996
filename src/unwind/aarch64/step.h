// SPDX-License-Identifier: BSD-2-Clause
// step: the steps outwards that differ between processors.
//
// Who may call: unwind.c and walk.c, as for unwind.h.

#ifndef PMEM_STEP_H
#define PMEM_STEP_H

#include "unwind/unwind.h"

// x30 in the frame that a signal interrupted, which the calling thread's walk has crossed last.
extern __thread uintptr_t step_lr;

// Makes a step by RULE_IN_LR.
enum unwind_result step_special(struct unwind *frame, uint64_t rule);

// Ends the stack: a frame record does not tell the caller's sp, which the caller's rule may need.
static inline enum unwind_result
step_guess(const struct unwind *frame, struct unwind_step *step)
{
	(void)frame;
	step->looked = false;
	return UNWIND_END;
}

// Called after a step from a signal's frame, which is at `sp`. Returns false if a word cannot be read.
static inline bool
step_note_signal(uintptr_t sp)
{
	return unwind_read(sp + UNWIND_SIGNAL_LR, sp, &step_lr);
}

// What steps of a walk leave for the next one. A walk that interrupts another restores it.
static inline uintptr_t
step_state(void)
{
	return step_lr;
}

static inline void
step_go_on(uintptr_t state)
{
	step_lr = state;
}

#endif
