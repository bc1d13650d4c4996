// operator: C++'s operator new and delete (C++20, 17.6.3), by form: what a program's calls would
// reach without us, and stacks that begin at them.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list once,
// when the first hook is called.
//
// Exported from a preload, our operators come before everybody's but the program's own. Where
// the program starts with none behind us, C++ comes with what a C program loads: then ours are
// hidden from it.

#ifndef PMEM_OPERATOR_H
#define PMEM_OPERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "next.h"
#include "stack.h"

// In pairs: of one object, of an array.
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

struct operator_name {
	const char *symbol;   // Itanium C++ ABI, 5.1
	const char *readable; // as it is written in C++
};

extern const struct operator_name operator_names[OPERATORS];

extern struct next_pair operator_codes[OPERATORS]; // written once, before ready

extern bool operator_ready; // written with release

// Finds the next definitions, and hides ours where there are none.
void operator_start(void);

// The next definition, or 0.
static inline uintptr_t
operator_next(enum operator_form form)
{
	if (__builtin_expect(!__atomic_load_n(&operator_ready, __ATOMIC_ACQUIRE), 0))
		operator_start();
	return operator_codes[form].next.start;
}

// Where an operator of ours was called, and its next definition came back to us through
// malloc(), the stack is cut so that it begins at the operator. Its name, or NULL when the
// stack does not begin so.
const char *operator_begin(struct stack *stack);

#endif
