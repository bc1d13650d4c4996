// SPDX-License-Identifier: BSD-2-Clause
// language: adds lines of the program's own language to a stack, if an interpreter runs the
// program. The native stack then ends in the interpreter's loop: the function that runs the
// program's instructions. After that frame come the lines, FILE:LINE in FUNCTION, innermost first.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks. interpreter.h says
// what interpreters provide. interpreter_boundary.h finds the loaded interpreters. A stack through
// an unknown interpreter has no lines. It is taken like a stack of any other program.

#ifndef PMEM_LANGUAGE_H
#define PMEM_LANGUAGE_H

#include <stdint.h>

#include "stacks/stack.h"
#include "stacks/stack_alias.h"

// Upper bound of the memory of two tables, which have the lines of known places in functions. The
// memory of the lines' texts (script_line.h) is not included.
#define LANGUAGE_BYTES_MAX                                                                 \
	(PMEM_LANGUAGE_FRAMES > 0 ? STACK_ALIAS_BYTES_MAX + (512UL << 10) : 0)

// Returns the hash of the stack from the hook's caller outwards. The stack ends in an interpreter's
// loop at `loop`. `hash` is what stack_hash() returned for it. The result includes the interpreter's
// frames: for each frame its function, and the place in that function. Returns 0 if the interpreter was
// unloaded.
uint64_t language_hash(const struct unwind *caller, uint64_t hash, uintptr_t loop);

// Adds the lines to a stack that ends in an interpreter's loop, if they can be read. Two places in
// one line of source code give the same frame. Even if no line is added, the stack's hash differs
// from the native stack's.
void language_extend(struct stack *stack, const struct unwind *caller);

#endif
