// SPDX-License-Identifier: BSD-2-Clause
// language: adds lines of the program's own language to a stack, if an interpreter runs the
// program. Such a stack ends in the interpreter's loop. Then the lines follow: FILE:LINE in
// FUNCTION, innermost first.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks. interpreter.h
// describes what interpreters provide, interpreter_boundary.h finds those that are loaded. An
// interpreter that is not known has no lines, and its stacks are those of any program.

#ifndef PMEM_LANGUAGE_H
#define PMEM_LANGUAGE_H

#include <stdint.h>

#include "stacks/stack.h"
#include "stacks/stack_alias.h"

// The most memory that this module takes beside the lines: it remembers places.
#define LANGUAGE_BYTES_MAX                                                                 \
	(PMEM_LANGUAGE_FRAMES > 0 ? STACK_ALIAS_BYTES_MAX + (512UL << 10) : 0)

// Returns the hash of the hook's caller's stack, which ends in an interpreter's loop. It includes
// the lines, by their places in their functions. Returns 0 if the interpreter is gone.
uint64_t language_hash(const struct unwind *caller, struct unwind_sum sum);

// Adds the lines to a stack that ends in a loop, if they can be read. Places in the same line are
// one frame from here on. The stack's hash changes in any case.
void language_extend(struct stack *stack, const struct unwind *caller);

#endif
