// SPDX-License-Identifier: BSD-2-Clause
// interpreter_boundary: finds the interpreter in whose loop, or in whose compiled code, a stack
// ends. The loop is the function that runs the program's instructions. This module also finds the
// interpreters that are loaded, and checks their versions before any of their frames are read.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks.

#ifndef PMEM_INTERPRETER_BOUNDARY_H
#define PMEM_INTERPRETER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

struct interpreter;

struct interpreter_boundary {
	const struct interpreter *interpreter; // NULL if no interpreter is known for the stack's end
	uintptr_t object; // the first byte of the interpreter's object
	uintptr_t object_end;
	// If the stack ends in compiled code, the return address in that code. 0 if it ends in the
	// loop.
	uintptr_t compiled;
};

// Returns in which loop or compiled code a stack ends. `pc` is the stack's outermost return
// address.
struct interpreter_boundary interpreter_boundary_at(uintptr_t pc);

// Returns the interpreter whose loop has this pc in its function's own code. Returns NULL if
// interpreter_boundary_at() must look further.
const struct interpreter *interpreter_boundary_of_loop(uintptr_t pc);

// Called once, by the constructor, with the program's environment.
void interpreter_boundary_start(char **environment);

// Calls look() of each loaded interpreter (interpreter.h). Like interpreter_boundary_advice(), it
// is for the thread that writes a snapshot.
void interpreter_boundary_look(void);

// Returns a note for the reader of the log: the note of the first interpreter that has a note.
// Returns NULL if no interpreter has a note.
const char *interpreter_boundary_advice(void);

#endif
