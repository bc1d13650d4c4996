// SPDX-License-Identifier: BSD-2-Clause
// allocator: finds the functions that the program's calls would reach without us, for real.h. It
// recognizes the allocator by the other names that the same object exports. A program with raised
// rights, or one that is not among PMEM_PROGRAMS, is left alone.
//
// Who may call: any thread, at any moment. Calls only the allocator's functions for its version
// and for predicted block sizes. Waits for nobody except in the loader (next_symbol.h).

#ifndef PMEM_ALLOCATOR_H
#define PMEM_ALLOCATOR_H

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// Fills in `real`, once. Returns with the state unchanged while another call is filling it in,
// or if the loader's list cannot be visited.
void allocator_start(void);

#pragma GCC visibility pop

#endif
