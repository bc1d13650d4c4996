// SPDX-License-Identifier: BSD-2-Clause
// language: adds lines of the program's own language to a stack, if an interpreter runs the
// program. The native stack then ends in the interpreter's loop. After it come the lines, FILE:LINE
// in FUNCTION, innermost first.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks. interpreter.h says
// what interpreters provide, and interpreter_boundary.h finds those that are loaded. Stacks through
// an interpreter that is not known have no lines. They are taken like those of any program.

#ifndef PMEM_LANGUAGE_H
#define PMEM_LANGUAGE_H

#include <stdint.h>

#include "stacks/stack.h"
#include "stacks/stack_alias.h"

// Upper bound of the memory for remembering which line each known place in a function is in. The
// lines' own memory (script_line.h) is not included.
#define LANGUAGE_BYTES_MAX                                                                 \
	(PMEM_LANGUAGE_FRAMES > 0 ? STACK_ALIAS_BYTES_MAX + (512UL << 10) : 0)

// Returns the hash of the stack from the hook's caller outwards. `sum` is what memo_take() returned
// for that stack, which ends in an interpreter's loop. The hash includes the interpreter's frames,
// each by where in its function it is. Returns 0 if the interpreter was unloaded.
uint64_t language_hash(const struct unwind *caller, struct unwind_sum sum);

// Adds the lines to a stack that ends in a loop, if they can be read. Two places in one line give
// the same frame. If no line is added, the stack still gets another hash than the native stack
// alone.
void language_extend(struct stack *stack, const struct unwind *caller);

#endif
