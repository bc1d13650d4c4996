// SPDX-License-Identifier: BSD-2-Clause
// allocator: finds the functions that the program's calls would reach without us, for real.h, and
// knows whose they are by the names that are exported beside them. A program with raised rights,
// and one that is not among PMEM_PROGRAMS, is left alone.
//
// Who may call: any thread, at any moment. Calls nothing of the allocator's but what tells its
// version or the size of a block to be; waits for nobody but in the loader (next_symbol.h).

#ifndef PMEM_ALLOCATOR_H
#define PMEM_ALLOCATOR_H

// See libc.h.
#pragma GCC visibility push(hidden)

// Fills in `real`, once. While another call is at it, or where the loader's list cannot be
// visited, it returns with the state unchanged.
void allocator_start(void);

#pragma GCC visibility pop

#endif
