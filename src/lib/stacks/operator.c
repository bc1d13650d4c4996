// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <string.h>

#include "heap/interposer.h"
#include "stacks/operator.h"

NEXT_NAME_NOTED const struct next_name operators[OPERATORS] = {
	[OPERATOR_NEW] = NEXT_NAME("_Znwm"),
	[OPERATOR_NEW_ARRAY] = NEXT_NAME("_Znam"),
	[OPERATOR_NEW_NOTHROW] = NEXT_NAME("_ZnwmRKSt9nothrow_t"),
	[OPERATOR_NEW_ARRAY_NOTHROW] = NEXT_NAME("_ZnamRKSt9nothrow_t"),
	[OPERATOR_NEW_ALIGNED] = NEXT_NAME("_ZnwmSt11align_val_t"),
	[OPERATOR_NEW_ARRAY_ALIGNED] = NEXT_NAME("_ZnamSt11align_val_t"),
	[OPERATOR_NEW_ALIGNED_NOTHROW] = NEXT_NAME("_ZnwmSt11align_val_tRKSt9nothrow_t"),
	[OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW] = NEXT_NAME("_ZnamSt11align_val_tRKSt9nothrow_t"),
	[OPERATOR_DELETE] = NEXT_NAME("_ZdlPv"),
	[OPERATOR_DELETE_ARRAY] = NEXT_NAME("_ZdaPv"),
	[OPERATOR_DELETE_SIZED] = NEXT_NAME("_ZdlPvm"),
	[OPERATOR_DELETE_ARRAY_SIZED] = NEXT_NAME("_ZdaPvm"),
	[OPERATOR_DELETE_NOTHROW] = NEXT_NAME("_ZdlPvRKSt9nothrow_t"),
	[OPERATOR_DELETE_ARRAY_NOTHROW] = NEXT_NAME("_ZdaPvRKSt9nothrow_t"),
	[OPERATOR_DELETE_ALIGNED] = NEXT_NAME("_ZdlPvSt11align_val_t"),
	[OPERATOR_DELETE_ARRAY_ALIGNED] = NEXT_NAME("_ZdaPvSt11align_val_t"),
	[OPERATOR_DELETE_SIZED_ALIGNED] = NEXT_NAME("_ZdlPvmSt11align_val_t"),
	[OPERATOR_DELETE_ARRAY_SIZED_ALIGNED] = NEXT_NAME("_ZdaPvmSt11align_val_t"),
	[OPERATOR_DELETE_ALIGNED_NOTHROW] = NEXT_NAME("_ZdlPvSt11align_val_tRKSt9nothrow_t"),
	[OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW] = NEXT_NAME("_ZdaPvSt11align_val_tRKSt9nothrow_t"),
};

const char operators_readable[OPERATORS][72] = {
	[OPERATOR_NEW] = "operator new(unsigned long)",
	[OPERATOR_NEW_ARRAY] = "operator new[](unsigned long)",
	[OPERATOR_NEW_NOTHROW] = "operator new(unsigned long, std::nothrow_t const&)",
	[OPERATOR_NEW_ARRAY_NOTHROW] = "operator new[](unsigned long, std::nothrow_t const&)",
	[OPERATOR_NEW_ALIGNED] = "operator new(unsigned long, std::align_val_t)",
	[OPERATOR_NEW_ARRAY_ALIGNED] = "operator new[](unsigned long, std::align_val_t)",
	[OPERATOR_NEW_ALIGNED_NOTHROW]
		= "operator new(unsigned long, std::align_val_t, std::nothrow_t const&)",
	[OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW]
		= "operator new[](unsigned long, std::align_val_t, std::nothrow_t const&)",
	[OPERATOR_DELETE] = "operator delete(void*)",
	[OPERATOR_DELETE_ARRAY] = "operator delete[](void*)",
	[OPERATOR_DELETE_SIZED] = "operator delete(void*, unsigned long)",
	[OPERATOR_DELETE_ARRAY_SIZED] = "operator delete[](void*, unsigned long)",
	[OPERATOR_DELETE_NOTHROW] = "operator delete(void*, std::nothrow_t const&)",
	[OPERATOR_DELETE_ARRAY_NOTHROW] = "operator delete[](void*, std::nothrow_t const&)",
	[OPERATOR_DELETE_ALIGNED] = "operator delete(void*, std::align_val_t)",
	[OPERATOR_DELETE_ARRAY_ALIGNED] = "operator delete[](void*, std::align_val_t)",
	[OPERATOR_DELETE_SIZED_ALIGNED] = "operator delete(void*, unsigned long, std::align_val_t)",
	[OPERATOR_DELETE_ARRAY_SIZED_ALIGNED]
		= "operator delete[](void*, unsigned long, std::align_val_t)",
	[OPERATOR_DELETE_ALIGNED_NOTHROW]
		= "operator delete(void*, std::align_val_t, std::nothrow_t const&)",
	[OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW]
		= "operator delete[](void*, std::align_val_t, std::nothrow_t const&)",
};

bool operators_are_plain;

// The linker's name of std::get_new_handler(), which only a C++ library defines. So the object that
// defines it is the C++ library.
static NEXT_NAME_NOTED const struct next_name library = NEXT_NAME("_ZSt15get_new_handlerv");

void
operator_start(void)
{
	const struct next_symbol *known = next_symbol_of(&library);
	bool plain = next_symbol_is_ready() && known->code.start != 0
		&& !interposer_is_before() && !interposer_is_between();

	// The C++ library must define all forms, since one form may call another. A form may also have
	// no next definition at all: then no other library defines it.
	for (int form = 0; form < OPERATORS; form++) {
		const struct next_symbol *symbol = next_symbol_of(&operators[form]);
		plain = plain && !symbol->before
			&& (!symbol->code.start || symbol->home.start == known->home.start);
	}
	operators_are_plain = plain;
}

// Returns the ranges of code of our own operators new, by form.
static const struct code_range *
own_operators(void)
{
	static struct code_range own[OPERATOR_DELETE];
	// set with release; if two threads fill own[] at once, both write the same ranges
	static bool known;

	if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
		for (int form = 0; form < OPERATOR_DELETE; form++)
			own[form] = next_symbol_own(&operators[form]);
		__atomic_store_n(&known, true, __ATOMIC_RELEASE);
	}
	return own;
}

const char *
operator_begin(struct stack *stack)
{
	const struct code_range *own = own_operators();
	enum operator_form outermost = OPERATORS;
	uint32_t at = 0;
	bool known = true;

	// Searches for the outermost operator, since the C++ library's definition of one form may call
	// another form. The first frame of other code ends the search. For instance, an operator may
	// call a new-handler, which allocates: then the stack must not begin at the operator.
	for (uint32_t i = 1; i < stack->depth && known; i++) {
		uintptr_t pc = stack->frames[i] - 1;
		known = false;
		for (int form = 0; form < OPERATOR_DELETE && !known; form++) {
			known = code_range_has(&next_symbol_of(&operators[form])->code, pc);
			if (code_range_has(&own[form], pc)) {
				known = true;
				outermost = (enum operator_form)form;
				at = i;
			}
		}
	}
	// If the stack was cut, the operator's caller may be missing. The stack then stays as it is.
	if (at == 0 || at + 1 >= stack->depth)
		return NULL;
	stack->depth -= at;
	memmove(stack->frames, stack->frames + at, stack->depth * sizeof(*stack->frames));
	stack->frames[0] = own[outermost].start;
	return operators_readable[outermost];
}
