// SPDX-License-Identifier: BSD-2-Clause
// program: the path of the program's own file.
//
// Who may call: any thread, at any moment after libc_start(). Never allocates, never waits.

#ifndef PMEM_PROGRAM_H
#define PMEM_PROGRAM_H

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// Returns the path, or "(program)" if it cannot be found.
const char *program_path(void);

#pragma GCC visibility pop

#endif
