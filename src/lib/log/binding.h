// SPDX-License-Identifier: BSD-2-Clause
// binding: finds out to which functions a loaded object's calls of malloc()'s family are bound. Once
// a call is bound, the object's own table of addresses shows which function it reaches.
//
// Who may call: the thread that holds the snapshot lock, in a visit of the loader's list. Never
// allocates. If an object's data cannot be read, its calls count as bound to our functions.

#ifndef PMEM_BINDING_H
#define PMEM_BINDING_H

#include <link.h>

struct object; // elf/object.h

enum binding {
	// Bound to our function, or to a function that the program has set itself. Also if the bound
	// address is 0 or cannot be read.
	BINDING_OURS,
	BINDING_NONE_YET, // will be bound by the first call
	BINDING_PAST_US,
};

// Finds the program's stubs of malloc()'s family, at the first call. The program is the first object
// on the list.
void binding_know_program(const struct dl_phdr_info *program);

// Returns the greatest binding among the object's calls, by the order of the enum.
enum binding binding_of_object(const struct dl_phdr_info *loaded, const struct object *object);

#endif
