// SPDX-License-Identifier: BSD-2-Clause
// interpreter_boundary: in which interpreter's loop a stack ends, or in what that has compiled. It
// finds the interpreters that are there, and asks each what it is before it is believed.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks.

#ifndef PMEM_INTERPRETER_BOUNDARY_H
#define PMEM_INTERPRETER_BOUNDARY_H

#include <stdbool.h>
#include <stdint.h>

struct interpreter;

struct interpreter_boundary {
	const struct interpreter *interpreter; // NULL: in no loop of one
	uintptr_t object; // that it is in: its first byte
	uintptr_t object_end;
	uintptr_t compiled; // a return address in code that it has compiled; 0: in its loop
};

// Of a stack that ends in a loop, by its outermost return address.
struct interpreter_boundary interpreter_boundary_at(uintptr_t pc);

// Whether the loader asks for the block. It may be moving what it knows of the thread's variables,
// and has the old place until it has the new one: no function that has such a variable may be
// called then, as those of interpreters have.
bool interpreter_boundary_is_for_loader(void);

// Called once, by the constructor, with the program's environment.
void interpreter_boundary_start(char **environment);

// Looks for what is only to be had from files. For the thread that writes a snapshot, as is this:
void interpreter_boundary_look(void);

// What who reads the log must know of the first interpreter of which there is something, or NULL.
const char *interpreter_boundary_advice(void);

#endif
