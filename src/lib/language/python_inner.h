// SPDX-License-Identifier: BSD-2-Clause
// python_inner: finds the frames of interpreters within Python 3.11's.
//
// Python 3.11 says which thread state holds the lock. Of the calling thread it only says its first
// thread state. So it does not say whether a thread that runs an inner interpreter holds the lock.
// The calling thread's own stack does: its loop has a C frame there. From that frame a chain leads
// outwards to the thread state that runs.
//
// Who may call: a thread that holds the guard, right after a walk of its own stack that ended in
// the loop. Never allocates, never blocks.

#ifndef PMEM_PYTHON_INNER_H
#define PMEM_PYTHON_INNER_H

#include <stdint.h>

#include "stacks/stack.h"

// Forgets what was learnt: Python was loaded, or loaded again.
void python_inner_forget(void);

// Learns about where in the loop its C frame is. `thread` is the calling thread's own thread state,
// which runs here. `caller` is the hook's.
void python_inner_learn(const struct unwind *caller, uintptr_t thread);

// Returns the loop's C frame if the calling thread runs `thread`, which holds the lock now. Returns
// 0 if not. `first` is the calling thread's first thread state. `thread` is not read: it may be
// another thread's, and soon be freed.
uintptr_t python_inner_c_frame(const struct unwind *caller, uintptr_t thread, uintptr_t first);

#endif
