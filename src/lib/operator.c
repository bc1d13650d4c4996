#include <stdbool.h>
#include <string.h>

#include "rival.h"
#include "operator.h"

#define OPERATOR(symbol_name, in_words) \
	{.symbol.name = symbol_name, .readable = in_words}

struct operator operators[OPERATORS] = {
	[OPERATOR_NEW] = OPERATOR("_Znwm", "operator new(unsigned long)"),
	[OPERATOR_NEW_ARRAY] = OPERATOR("_Znam", "operator new[](unsigned long)"),
	[OPERATOR_NEW_NOTHROW] = OPERATOR("_ZnwmRKSt9nothrow_t",
		"operator new(unsigned long, std::nothrow_t const&)"),
	[OPERATOR_NEW_ARRAY_NOTHROW] = OPERATOR("_ZnamRKSt9nothrow_t",
		"operator new[](unsigned long, std::nothrow_t const&)"),
	[OPERATOR_NEW_ALIGNED] = OPERATOR("_ZnwmSt11align_val_t",
		"operator new(unsigned long, std::align_val_t)"),
	[OPERATOR_NEW_ARRAY_ALIGNED] = OPERATOR("_ZnamSt11align_val_t",
		"operator new[](unsigned long, std::align_val_t)"),
	[OPERATOR_NEW_ALIGNED_NOTHROW] = OPERATOR("_ZnwmSt11align_val_tRKSt9nothrow_t",
		"operator new(unsigned long, std::align_val_t, std::nothrow_t const&)"),
	[OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW] = OPERATOR("_ZnamSt11align_val_tRKSt9nothrow_t",
		"operator new[](unsigned long, std::align_val_t, std::nothrow_t const&)"),
	[OPERATOR_DELETE] = OPERATOR("_ZdlPv", "operator delete(void*)"),
	[OPERATOR_DELETE_ARRAY] = OPERATOR("_ZdaPv", "operator delete[](void*)"),
	[OPERATOR_DELETE_SIZED] = OPERATOR("_ZdlPvm",
		"operator delete(void*, unsigned long)"),
	[OPERATOR_DELETE_ARRAY_SIZED] = OPERATOR("_ZdaPvm",
		"operator delete[](void*, unsigned long)"),
	[OPERATOR_DELETE_NOTHROW] = OPERATOR("_ZdlPvRKSt9nothrow_t",
		"operator delete(void*, std::nothrow_t const&)"),
	[OPERATOR_DELETE_ARRAY_NOTHROW] = OPERATOR("_ZdaPvRKSt9nothrow_t",
		"operator delete[](void*, std::nothrow_t const&)"),
	[OPERATOR_DELETE_ALIGNED] = OPERATOR("_ZdlPvSt11align_val_t",
		"operator delete(void*, std::align_val_t)"),
	[OPERATOR_DELETE_ARRAY_ALIGNED] = OPERATOR("_ZdaPvSt11align_val_t",
		"operator delete[](void*, std::align_val_t)"),
	[OPERATOR_DELETE_SIZED_ALIGNED] = OPERATOR("_ZdlPvmSt11align_val_t",
		"operator delete(void*, unsigned long, std::align_val_t)"),
	[OPERATOR_DELETE_ARRAY_SIZED_ALIGNED] = OPERATOR("_ZdaPvmSt11align_val_t",
		"operator delete[](void*, unsigned long, std::align_val_t)"),
	[OPERATOR_DELETE_ALIGNED_NOTHROW] = OPERATOR("_ZdlPvSt11align_val_tRKSt9nothrow_t",
		"operator delete(void*, std::align_val_t, std::nothrow_t const&)"),
	[OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW] = OPERATOR("_ZdaPvSt11align_val_tRKSt9nothrow_t",
		"operator delete[](void*, std::align_val_t, std::nothrow_t const&)"),
};

bool operators_are_plain;

// std::get_new_handler(), which only a C++ library has.
static struct next_definition library = {.name = "_ZSt15get_new_handlerv"};
NEXT_DEFINITION_NOTE(library, library);

void
operator_start(void)
{
	bool plain = next_definition_is_ready() && library.code.start != 0 && !rival_is_before()
		&& !rival_is_between();

	// One form may call another; those that it has not are nobody's.
	for (int form = 0; form < OPERATORS; form++) {
		const struct next_definition *symbol = &operators[form].symbol;
		plain = plain && !symbol->before
			&& (!symbol->code.start || symbol->home.start == library.home.start);
	}
	operators_are_plain = plain;
}

const char *
operator_begin(struct stack *stack)
{
	enum operator_form outermost = OPERATORS;
	uint32_t at = 0;
	bool known = true;

	// The default of one form may call another. What anybody else called meanwhile, a new
	// handler say, is not the operator's.
	for (uint32_t i = 1; i < stack->depth && known; i++) {
		uintptr_t pc = stack->frames[i] - 1;
		known = false;
		for (int form = 0; form < OPERATOR_DELETE && !known; form++) {
			const struct next_definition *symbol = &operators[form].symbol;
			known = code_range_has(&symbol->code, pc);
			if (code_range_has(&symbol->own, pc)) {
				known = true;
				outermost = (enum operator_form)form;
				at = i;
			}
		}
	}
	// Who called it may be one frame too far out.
	if (at == 0 || at + 1 >= stack->depth)
		return NULL;
	stack->depth -= at;
	memmove(stack->frames, stack->frames + at, stack->depth * sizeof(*stack->frames));
	stack->frames[0] = operators[outermost].symbol.own.start;
	return operators[outermost].readable;
}
