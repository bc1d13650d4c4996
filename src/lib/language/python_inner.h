// python_inner: interpreters within Python 3.11's.
//
// That version knows which thread of Python holds the lock, and, of the one that calls, the first that it
// was. So of a thread that runs an inner interpreter it does not say whether it is that which holds it.
// What tells is on the calling thread's own stack: its loop has a C frame there, from which a chain
// leads outwards to the thread of Python that it runs.
//
// Who may call: a thread that holds the guard, right after a walk of its own stack. Never allocates,
// never blocks.

#ifndef PMEM_PYTHON_INNER_H
#define PMEM_PYTHON_INNER_H

#include <stdbool.h>
#include <stdint.h>

// Whether `thread`, which holds the lock now, is run by the calling thread, whose first one is `first`.
// It is not read, since it may be another's, and gone in a moment.
bool python_inner_runs_here(uintptr_t thread, uintptr_t first);

#endif
