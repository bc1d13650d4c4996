// SPDX-License-Identifier: BSD-2-Clause
// allocator: finds the functions that the program's calls would reach without us, for real.h. It
// recognizes the allocator by the other names that the same object exports. A program is left alone
// if it has raised rights, or if it is not among PMEM_PROGRAMS.
//
// Who may call: any thread, at any moment. Calls only the allocator's functions for its version
// and for predicted block sizes. Waits for nobody except in the loader (next_symbol.h).

#ifndef PMEM_ALLOCATOR_H
#define PMEM_ALLOCATOR_H

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// Fills in `real`, once. Changes nothing while another call is filling in `real`, or if the
// loader's list cannot be visited.
void allocator_start(void);

#pragma GCC visibility pop

#endif
