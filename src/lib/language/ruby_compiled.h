// SPDX-License-Identifier: BSD-2-Clause
// ruby_compiled: the code that YJIT, Ruby's compiler, has made. It says whether an address is in
// it, and which place that code has saved before a call.
//
// Such code has no call frame information. It keeps Ruby's frames as the interpreter does. But it
// saves its place in a frame (cfp->pc) only before a call that may raise or allocate. It saves the
// place as a constant, by two instructions that no other code has. So the place in a frame is sure
// if these instructions precede the call and have the frame's very constant. Otherwise the place
// may be that of an earlier call. If the place is sure, the code is surely YJIT's. Then
// /proc/self/maps says where all of YJIT's code lies.
//
// Who may call: as in interpreter.h.

#ifndef PMEM_RUBY_COMPILED_H
#define PMEM_RUBY_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dynsym.h"

// Called once, when Ruby is found.
void ruby_compiled_open(const struct dynsym *symbols);

// Returns the place that compiled code has saved for the call before `pc`, a return address; or 0.
uintptr_t ruby_compiled_saved(uintptr_t pc);

// As in struct interpreter.
bool ruby_has_compiled(uintptr_t address, bool interrupted);
bool ruby_compiled_look(void);

#endif
