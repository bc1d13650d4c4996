// SPDX-License-Identifier: BSD-2-Clause
// interpreter_boundary: finds in which interpreter's loop, or compiled code, a stack ends. It finds
// the interpreters that are loaded. It checks an interpreter's version before it reads the
// interpreter's frames.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks.

#ifndef PMEM_INTERPRETER_BOUNDARY_H
#define PMEM_INTERPRETER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

struct interpreter;

struct interpreter_boundary {
	const struct interpreter *interpreter; // NULL if the stack ends in no loop
	uintptr_t object; // the first byte of the interpreter's object
	uintptr_t object_end;
	// The return address in compiled code where the stack ends; 0 if it ends in the loop.
	uintptr_t compiled;
};

// Returns the boundary of a stack that ends in a loop. `pc` is the stack's outermost return
// address.
struct interpreter_boundary interpreter_boundary_at(uintptr_t pc);

// Returns true if the hook's caller is the loader. The loader may then be moving its table of the
// thread's thread-local variables. Until the new table is there, no function may be called that
// uses such variables. Interpreters' functions use some.
bool interpreter_boundary_is_for_loader(void);

// Called once, by the constructor, with the program's environment.
void interpreter_boundary_start(char **environment);

// Calls look() of each loaded interpreter (interpreter.h). Only the thread that writes a snapshot
// may call this function and interpreter_boundary_advice().
void interpreter_boundary_look(void);

// Returns what a reader of the log must know of the first interpreter that has such advice, or
// NULL.
const char *interpreter_boundary_advice(void);

#endif
