// SPDX-License-Identifier: BSD-2-Clause
// thread_state: the calling thread's pauses and label, which its program sets through src/pmem.h.
//
// Who may call: a thread, for itself. Never allocates, never blocks. An allocation whose stack is
// in the thread's memo, its cached last stack, does not read this state. A paused thread has no
// valid memo (thread.h). So each of its allocations reaches the code that reads the state
// (record.c).

#ifndef PMEM_THREAD_STATE_H
#define PMEM_THREAD_STATE_H

#include <stdint.h>

struct thread_state {
	uint32_t source; // number of the source to which all allocations during a pause are counted
	uint16_t pauses; // number of pauses that have not ended
	uint16_t label;  // number of the label; 0 if there is none
};

extern __thread struct thread_state thread_state;

#endif
