// SPDX-License-Identifier: BSD-2-Clause
// ruby_compiled: what YJIT, Ruby's compiler, has made: whether an address is in it, and which place the
// code there has saved before a call.
//
// Such code has no call frame information. It runs frames of Ruby's as the interpreter does, but writes
// down where in one it is (cfp->pc) only before it calls what may raise or allocate: a constant, by
// two instructions that nothing else has. So a place is sure where these stand before the call, and
// the frame has that very constant; everywhere else it may be of an earlier call. The same proves
// whose code it is. Where it lies in all is in /proc/self/maps then.
//
// Who may call: as for interpreter.h.

#ifndef PMEM_RUBY_COMPILED_H
#define PMEM_RUBY_COMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dynsym.h"

// Once, when Ruby is found.
void ruby_compiled_open(const struct dynsym *symbols);

// The place that the code which calls to return to `pc` has saved for that call. 0: none.
uintptr_t ruby_compiled_saved(uintptr_t pc);

// As struct interpreter has them.
bool ruby_has_compiled(uintptr_t address, bool interrupted);
bool ruby_compiled_look(void);

#endif
