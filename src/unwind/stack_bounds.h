// SPDX-License-Identifier: BSD-2-Clause
// stack_bounds: the stack with which the calling thread began, from the C library and the kernel.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// Readable memory beside a stack proves nothing: it may be another's, and gone in a moment.
// Outwards of a thread's position on its own stack all can be read while the thread lives:
//
// - A thread's stack lies in the C library's block for it, allocated or given by the program. It
//   ends where the thread's own variables begin.
// - The first thread's stack is made by the kernel, which keeps room for it to grow. Nothing else
//   is in that room.

#ifndef PMEM_STACK_BOUNDS_H
#define PMEM_STACK_BOUNDS_H

#include <stdint.h>

// Returns the address after the stack that has `sp`, at the end of a page. Returns 0 if sp is not
// in the thread's own stack, or if its bounds are unknown. `known` is an address for which this
// function returned an end before; or 0.
uintptr_t stack_bounds_end(uintptr_t sp, uintptr_t known);

#endif
