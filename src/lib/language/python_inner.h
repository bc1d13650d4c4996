// SPDX-License-Identifier: BSD-2-Clause
// python_inner: finds the frames of inner interpreters (Py_NewInterpreter()) of Python 3.11.
//
// Only the thread that holds the lock (GIL) may read its frames. Python 3.11 has a function that
// returns the thread state that holds the lock. Another function returns the first thread state of
// the calling thread. In an inner interpreter the thread has a second thread state. So no function
// says whether the calling thread holds the lock.
//
// The thread's stack shows whether the thread holds the lock. The interpreter's loop keeps a struct
// on the stack, the C frame (_PyCFrame). From the C frame a chain of C frames leads outwards. The
// chain ends in the thread state that the thread runs.
//
// Who may call: a thread that holds the guard, right after a walk of its own stack to the loop.
// Never allocates, never blocks.

#ifndef PMEM_PYTHON_INNER_H
#define PMEM_PYTHON_INNER_H

#include <stdint.h>

#include "stacks/stack.h"

// Forgets all distances that python_inner_learn() has learnt. Called when Python was loaded, for
// the first time or again.
void python_inner_forget(void);

// Learns the approximate distance of the C frame from the stack pointer in the loop. `thread` is
// the thread state that runs in the calling thread. `caller` is the frame of the hook's caller.
void python_inner_learn(const struct unwind *caller, uintptr_t thread);

// Returns the loop's C frame if the calling thread runs `thread`, the thread state that holds the
// lock now. Returns 0 if another thread runs it. `first` is the calling thread's first thread
// state. `thread` is not read: it may be another thread's, and soon be freed.
uintptr_t python_inner_c_frame(const struct unwind *caller, uintptr_t thread, uintptr_t first);

#endif
