// SPDX-License-Identifier: BSD-2-Clause
// operator: the forms of C++'s operator new and delete (C++20, 17.6.3). This module has each form's
// next definition, which calls would reach without us (next_symbol.h). It makes stacks begin at the
// operator that the program called.
//
// Who may call: any thread, at any moment. Never allocates. Visits the loader's list at each call,
// until one visit has succeeded (next_symbol.h). If a form has no next definition, its hook works
// like the hook of malloc() or free(). A stack that does not begin at an operator stays unchanged.

#ifndef PMEM_OPERATOR_H
#define PMEM_OPERATOR_H

#include <stdint.h>

#include "heap/next_symbol.h"
#include "stacks/stack.h"

// Hidden symbols are found without relocations. Hooks may run before those are done (libc.h).
#pragma GCC visibility push(hidden)

// The forms come in pairs: one for an object, one for an array.
enum operator_form {
	OPERATOR_NEW,
	OPERATOR_NEW_ARRAY,
	OPERATOR_NEW_NOTHROW,
	OPERATOR_NEW_ARRAY_NOTHROW,
	OPERATOR_NEW_ALIGNED,
	OPERATOR_NEW_ARRAY_ALIGNED,
	OPERATOR_NEW_ALIGNED_NOTHROW,
	OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW,
	OPERATOR_DELETE,
	OPERATOR_DELETE_ARRAY,
	OPERATOR_DELETE_SIZED,
	OPERATOR_DELETE_ARRAY_SIZED,
	OPERATOR_DELETE_NOTHROW,
	OPERATOR_DELETE_ARRAY_NOTHROW,
	OPERATOR_DELETE_ALIGNED,
	OPERATOR_DELETE_ARRAY_ALIGNED,
	OPERATOR_DELETE_SIZED_ALIGNED,
	OPERATOR_DELETE_ARRAY_SIZED_ALIGNED,
	OPERATOR_DELETE_ALIGNED_NOTHROW,
	OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW,
	OPERATORS,
};

// Each form's name for the linker (Itanium C++ ABI, 5.1).
extern const struct next_name operators[OPERATORS];

// Each form as it is written in C++.
extern const char operators_readable[OPERATORS][72];

// Returns the address of the form's next definition, or 0 if there is none.
static inline uintptr_t
operator_next(enum operator_form form)
{
	if (!next_symbol_is_ready())
		next_symbol_start();
	return next_symbol_of(&operators[form])->code.start;
}

// True if the C++ library defines all operators, and no other library interposes. The forms without
// an alignment then work like malloc() and free(), except when there is no memory.
extern bool operators_are_plain;

// Sets operators_are_plain. Called by the constructor, once all next definitions are known.
void operator_start(void);

// If an operator's call of malloc() has this stack, cuts the stack so that it begins at the
// operator. Then returns the operator's name. Otherwise returns NULL.
const char *operator_begin(struct stack *stack);

#pragma GCC visibility pop

#endif
