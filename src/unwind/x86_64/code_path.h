// SPDX-License-Identifier: BSD-2-Clause
// code_path: finds the caller of a frame in code without call frame information, from the code's
// instructions. musl is built without such information.
//
// Who may call: a thread that holds the guard. Never allocates. One thread at a time searches; others
// wait for a moment. Reads only the code, and asks the kernel whether its pages are there.
//
// From the start of a function, all paths to an address keep the stack in one state. The state is how far
// sp is from the cfa, and where the function has saved fp. If an exported symbol tells the function's
// start, these paths are followed. Otherwise the paths from the address on are followed, up to the `ret` at
// their ends. A call that never returns ends a path. If two paths differ, or an instruction gives sp an
// unknown value, nothing is found.

#ifndef PMEM_CODE_PATH_H
#define PMEM_CODE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dynsym.h"
#include "base/segment.h"
#include "unwind/x86_64/frame_state.h"

// An object's code, and its symbols.
struct code_path_in {
	struct segment code;
	const struct dynsym *symbols;
};

enum code_path_result {
	CODE_PATH_UNKNOWN,
	CODE_PATH_BUSY, // not searched, since another thread searches, or did in the parent of a fork
	CODE_PATH_FOUND,
	CODE_PATH_SIGNAL, // the code to which a signal handler returns
	// The frame's function is not exported and never returns, such as the one that calls main() and
	// then exit().
	CODE_PATH_NEVER,
};

// `pc` is a return address; or, if `interrupted`, the next instruction's address.
enum code_path_result code_path_find(
	const struct code_path_in *in, uintptr_t pc, bool interrupted, struct frame_way *way);

extern int32_t code_path_searcher; // the process id of the thread that searches, or 0; atomic

// Called in a fork's child: a thread of the parent may have been searching. In the header, since a
// child needs no other code of this module.
static inline void
code_path_fork(void)
{
	__atomic_store_n(&code_path_searcher, 0, __ATOMIC_RELEASE);
}

#endif
