// operator: C++'s operator new and delete (C++20, 17.6.3), by form: what a program's calls would
// reach without us, and stacks that begin at them.
//
// Who may call: any thread, at any moment. Never allocates. It visits the loader's list when
// an operator is called for the first time, and again when an object has gone.
//
// Exported from a preload, our operators come before everybody's but the program's own: those
// of a C++ library that a C program loads, too. So the next definition is that of the first
// object behind us on the list that has one, and may go when that is unloaded.

#ifndef PMEM_OPERATOR_H
#define PMEM_OPERATOR_H

#include <stdint.h>

#include "next.h"
#include "module.h"
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

extern struct next_pair operator_codes[OPERATORS]; // atomic

// The module_news when they were looked for; atomic.
extern uint64_t operator_news;

void operator_find(void);

// The next definition, or 0.
static inline uintptr_t
operator_next(enum operator_form form)
{
	if (__builtin_expect(
		    __atomic_load_n(&operator_news, __ATOMIC_ACQUIRE) != module_news_now(), 0))
		operator_find();
	return __atomic_load_n(&operator_codes[form].next.start, __ATOMIC_RELAXED);
}

// Where an operator of ours was called, and its next definition came back to us through
// malloc(), the stack is cut so that it begins at the operator. Its name, or NULL when the
// stack does not begin so.
const char *operator_begin(struct stack *stack);

#endif
