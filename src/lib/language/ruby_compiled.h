// SPDX-License-Identifier: BSD-2-Clause
// ruby_compiled: the code that YJIT, Ruby's compiler, has made. It says whether an address is in
// it, and which place that code has saved before a call.
//
// Such code has no call frame information. It runs Ruby's frames as the interpreter does. But it
// saves its place in a frame (cfp->pc) only before it calls what may raise or allocate. It does so
// with a constant, by two instructions that nothing else has. So a place is sure if these
// instructions precede the call and the frame has that very constant. Otherwise the place may be of
// an earlier call. The same proves that the code is YJIT's. Then /proc/self/maps says where all of
// it lies.
//
// Who may call: as in interpreter.h.

#ifndef PMEM_RUBY_COMPILED_H
#define PMEM_RUBY_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dynsym.h"

// Called once, when Ruby is found.
void ruby_compiled_open(const struct dynsym *symbols);

// Returns the place that the code which calls to return to `pc` has saved for that call, or 0.
uintptr_t ruby_compiled_saved(uintptr_t pc);

// As in struct interpreter.
bool ruby_has_compiled(uintptr_t address, bool interrupted);
bool ruby_compiled_look(void);

#endif
