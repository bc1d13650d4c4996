// SPDX-License-Identifier: BSD-2-Clause
// interpreter_boundary: finds in which interpreter's loop, or compiled code, a stack ends. It finds
// the interpreters that are loaded, and checks the version of each before it is believed.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks.

#ifndef PMEM_INTERPRETER_BOUNDARY_H
#define PMEM_INTERPRETER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

struct interpreter;

struct interpreter_boundary {
	const struct interpreter *interpreter; // NULL if the stack ends in no loop
	uintptr_t object; // the first byte of its object
	uintptr_t object_end;
	uintptr_t compiled; // a return address in code that it has compiled; 0 if in its loop
};

// Returns the boundary of a stack that ends in a loop, given its outermost return address.
struct interpreter_boundary interpreter_boundary_at(uintptr_t pc);

// Returns true if the loader asks for the block. The loader may be moving its record of the
// thread's variables. It keeps the old place until it has the new one. No function with such a
// variable may be called then, and interpreters' functions have some.
bool interpreter_boundary_is_for_loader(void);

// Called once, by the constructor, with the program's environment.
void interpreter_boundary_start(char **environment);

// Looks for what only files say. Only the thread that writes a snapshot may call this function and
// the next.
void interpreter_boundary_look(void);

// Returns what a reader of the log must know of the first interpreter that has such advice, or
// NULL.
const char *interpreter_boundary_advice(void);

#endif
