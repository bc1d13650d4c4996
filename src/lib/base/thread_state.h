// SPDX-License-Identifier: BSD-2-Clause
// thread_state: what a thread's program has set for it by src/pmem.h: pauses, and a label.
//
// Who may call: a thread, of itself. Never allocates, never blocks. Nothing looks here on the
// usual way: a thread that is paused has no memo that holds (thread.h), and so each of its
// allocations comes to where a new stack is told from a paused one (record.c).

#ifndef PMEM_THREAD_STATE_H
#define PMEM_THREAD_STATE_H

#include <stdint.h>

struct thread_state {
	uint32_t source; // the source of all allocations during a pause
	uint16_t pauses; // number of pauses that have not ended
	uint16_t label;  // number of the label; 0 if there is none
};

extern __thread struct thread_state thread_state;

#endif
