// SPDX-License-Identifier: BSD-2-Clause
// stack_bounds: finds the end of the stack with which the calling thread began, from the C library
// and the kernel.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// Memory beside a stack may be readable without being part of the stack. This memory may be a
// mapping of its own, which can be unmapped at any moment. But while a thread lives, its own stack
// can be read from sp outwards (to higher addresses), up to its end. The end depends on who made
// the stack:
//
// - A thread that the program created has a block of memory from the C library or the program. Its
//   stack lies in the block, inwards of the thread pointer. The end is at the thread pointer.
// - The kernel makes the first thread's stack. The C library knows where this stack began. The
//   kernel keeps room inwards of the stack, and maps nothing else in that room.

#ifndef PMEM_STACK_BOUNDS_H
#define PMEM_STACK_BOUNDS_H

#include <stdint.h>

// Returns the end of the thread's own stack, rounded up to a page. Returns 0 if sp is not in that
// stack, or if the stack's bounds are unknown. `known` is an address on the stack for which this
// function returned an end before; or 0.
uintptr_t stack_bounds_end(uintptr_t sp, uintptr_t known);

#endif
