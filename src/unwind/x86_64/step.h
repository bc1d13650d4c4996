// SPDX-License-Identifier: BSD-2-Clause
// step: the steps outwards that differ between processors.
//
// Who may call: unwind.c and walk.c, as for unwind.h.

#ifndef PMEM_STEP_H
#define PMEM_STEP_H

#include "unwind/unwind.h"

// Makes a step by RULE_AT_FP: crosses a function that realigned its stack.
enum unwind_result step_special(struct unwind *frame, uint64_t rule);

// Steps by fp if fp looks like a frame pointer. Code without call frame information may have any
// value in fp.
enum unwind_result step_guess(struct unwind *frame, struct unwind_step *step);

// Called after a step from a signal's frame, which is at `sp`. Returns false if a word cannot be read.
static inline bool
step_note_signal(uintptr_t sp)
{
	(void)sp;
	return true;
}

// What steps of a walk leave for the next one. A walk that interrupts another restores it.
static inline uintptr_t
step_state(void)
{
	return 0;
}

static inline void
step_go_on(uintptr_t state)
{
	(void)state;
}

#endif
