// SPDX-License-Identifier: BSD-2-Clause
// python_inner: interpreters within Python 3.11's.
//
// That version tells which of Python's threads holds the lock, and, of the calling thread, the first of
// these that it was. So of a thread that runs an inner interpreter it does not say whether it is that
// which holds the lock. What tells is on the calling thread's own stack: its loop has a C frame there,
// from which a chain leads outwards to the thread of Python that runs.
//
// Who may call: a thread that holds the guard, right after a walk of its own stack that ended in the loop.
// Never allocates, never blocks.

#ifndef PMEM_PYTHON_INNER_H
#define PMEM_PYTHON_INNER_H

#include <stdint.h>

#include "stacks/stack.h"

// Python was loaded, or another is: what was learnt is void.
void python_inner_forget(void);

// Remembers about where in the loop its C frame is, by the calling thread's own `thread`, which runs here.
// `caller`: the hook's.
void python_inner_learn(const struct unwind *caller, uintptr_t thread);

// The loop's C frame, if the calling thread, whose first thread of Python is `first`, runs `thread`, which
// holds the lock now; else 0. `thread` is not read, since it may be another's, and gone in a moment.
uintptr_t python_inner_c_frame(const struct unwind *caller, uintptr_t thread, uintptr_t first);

#endif
