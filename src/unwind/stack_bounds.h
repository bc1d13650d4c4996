// SPDX-License-Identifier: BSD-2-Clause
// stack_bounds: finds the end of the stack with which the calling thread began, from the C library
// and the kernel.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// That memory beside a stack can be read does not show that it is part of the stack. It may be a
// mapping of its own, and be unmapped at any moment. But a thread's own stack can be read outwards
// of sp while the thread lives, up to its end:
//
// - A thread that the program created has a block of the C library's, allocated or given by the
//   program. The stack in it ends where the thread's own variables begin.
// - The first thread's stack is made by the kernel. The kernel keeps room inwards of it, and maps
//   nothing else there.

#ifndef PMEM_STACK_BOUNDS_H
#define PMEM_STACK_BOUNDS_H

#include <stdint.h>

// Returns the end of the thread's own stack, rounded up to a page. Returns 0 if sp is not in that
// stack, or if the stack's bounds are unknown. `known` is an address on the stack for which this
// function returned an end before; or 0.
uintptr_t stack_bounds_end(uintptr_t sp, uintptr_t known);

#endif
