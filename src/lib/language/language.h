// SPDX-License-Identifier: BSD-2-Clause
// language: lines of the program's own language, where an interpreter runs it. A stack ends in the
// interpreter's loop then, and goes on with them: FILE:LINE in FUNCTION, innermost first.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks. What interpreters
// tell is in interpreter.h, which is there in interpreter_boundary.h. One that is not known has no
// lines, and its stacks are those of any program.

#ifndef PMEM_LANGUAGE_H
#define PMEM_LANGUAGE_H

#include <stdint.h>

#include "stacks/stack.h"
#include "stacks/stack_alias.h"

// The most memory that it takes beside lines: what is remembered of places.
#define LANGUAGE_BYTES_MAX                                                                 \
	(PMEM_LANGUAGE_FRAMES > 0 ? STACK_ALIAS_BYTES_MAX + (512UL << 10) : 0)

// The hash of a hook's caller's stack that ends in an interpreter's loop: with its lines, by where
// they are in their functions. 0: the interpreter is gone.
uint64_t language_hash(const struct unwind *caller, struct unwind_sum sum);

// Adds its lines to a stack that ends in a loop, if any are to be had. Places in one line are one
// from here on. Its hash is another in any case.
void language_extend(struct stack *stack, const struct unwind *caller);

#endif
