// SPDX-License-Identifier: BSD-2-Clause
// stack_bounds: the stack that the calling thread was born with, as the C library and the kernel tell.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// That memory can be read and lies beside a stack says nothing: it may be another's, and gone
// in a moment. Outwards of where a thread stands on its own stack all can be read for as long
// as it lives:
//
// - a thread's lies in the block that the C library has for it, made or taken from the
//   program, and ends where its own variables begin;
// - the first thread's is the one that the kernel made, and nothing else is in the place that
//   it keeps for that to grow in.

#ifndef PMEM_STACK_BOUNDS_H
#define PMEM_STACK_BOUNDS_H

#include <stdint.h>

// The address behind the stack that `sp` is in, at the end of a page; 0: it is not in the
// thread's own, or nobody tells. `known` is an address from which it was told before; or 0.
uintptr_t stack_bounds_end(uintptr_t sp, uintptr_t known);

#endif
