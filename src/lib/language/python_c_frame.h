// SPDX-License-Identifier: BSD-2-Clause
// python_c_frame: finds the innermost frame of Python 3.11 and 3.12 on the calling thread's own
// stack. It is for a thread of which no function says that it holds the lock (GIL).
//
// The loop keeps a struct on the stack, the C frame (_PyCFrame), which points to the innermost
// frame. From the C frame a chain of C frames leads outwards. Its end is in the thread state that
// the thread runs. Two thread states may be read:
// - `holder`, which holds the lock. In 3.11 it may be one of an inner interpreter
//   (Py_NewInterpreter()), in a thread that has another state, too. The chain shows whether this
//   thread runs it.
// - `own`, the calling thread's own one, without the lock: the thread is in an extension that has
//   released it.
//
// Why frames without the lock can be read: a thread's frames change only while it has the lock.
// Each frame holds its code, and code its names, by references. Who else could free these?
// - The end of Python, in another thread, frees the thread states of all others, but leaves their
//   frames for ever (_PyThreadState_DeleteExcept()). So a thread state is never read, only compared
//   by the kernel.
// - The end of Python, in this thread, first takes away its `own`.
// - An inner interpreter ends only when no frame of it is left. Else Python aborts.
// From 3.13 on there is no C frame, and Python's end may free frames of threads that still run
// (resolve_final_tstate(), finalize_subinterpreters()).
//
// Who may call: a thread that holds the guard, right after a walk of its own stack to the loop.
// Never allocates, never blocks.

#ifndef PMEM_PYTHON_C_FRAME_H
#define PMEM_PYTHON_C_FRAME_H

#include <stdint.h>

#include "language/python_layout.h"
#include "stacks/stack.h"

// Forgets what was found. Called when Python was loaded, for the first time or again.
void python_c_frame_open(const struct python_layout *of);

// Returns the innermost loop's C frame if that loop runs one of these thread states. Else returns
// 0. A state that is 0 is none. `caller` is the frame of the hook's caller. Both states may be
// freed at any moment.
uintptr_t python_c_frame_find(const struct unwind *caller, uintptr_t holder, uintptr_t own);

#endif
