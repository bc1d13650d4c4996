// SPDX-License-Identifier: BSD-2-Clause
// ruby_compiled: the code that YJIT, Ruby's compiler, has made. Says whether an address is in this
// code, and which place the code has saved before a call.
//
// Compiled code has no call frame information. It keeps Ruby's frames as the interpreter does, with
// one difference. It saves its place in a frame (cfp->pc) only before a call that may raise or
// allocate. The place is saved as a constant, by two instructions that no other code has.
//
// If both instructions precede the call, and the constant is the place in the frame, it was saved
// for this call. Otherwise it may have been saved for an earlier call. If the instructions and the
// frame agree, the code is surely YJIT's. Then /proc/self/maps says where all of YJIT's code lies.
//
// Who may call: as in interpreter.h.

#ifndef PMEM_RUBY_COMPILED_H
#define PMEM_RUBY_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dynsym.h"

// Called once, when Ruby is found.
void ruby_compiled_open(const struct dynsym *symbols);

// `pc` is the return address of a call in compiled code. Returns the place that the code has saved
// for this call, or 0.
uintptr_t ruby_compiled_saved(uintptr_t pc);

// has_compiled() and look() of struct interpreter (interpreter.h).
bool ruby_has_compiled(uintptr_t address, bool interrupted);
bool ruby_compiled_look(void);

#endif
