#include <stdbool.h>
#include <string.h>

#include "operator.h"

const struct operator_name operator_names[OPERATORS] = {
	[OPERATOR_NEW] = {"_Znwm", "operator new(unsigned long)"},
	[OPERATOR_NEW_ARRAY] = {"_Znam", "operator new[](unsigned long)"},
	[OPERATOR_NEW_NOTHROW]
	= {"_ZnwmRKSt9nothrow_t", "operator new(unsigned long, std::nothrow_t const&)"},
	[OPERATOR_NEW_ARRAY_NOTHROW]
	= {"_ZnamRKSt9nothrow_t", "operator new[](unsigned long, std::nothrow_t const&)"},
	[OPERATOR_NEW_ALIGNED]
	= {"_ZnwmSt11align_val_t", "operator new(unsigned long, std::align_val_t)"},
	[OPERATOR_NEW_ARRAY_ALIGNED]
	= {"_ZnamSt11align_val_t", "operator new[](unsigned long, std::align_val_t)"},
	[OPERATOR_NEW_ALIGNED_NOTHROW] = {"_ZnwmSt11align_val_tRKSt9nothrow_t",
		"operator new(unsigned long, std::align_val_t, std::nothrow_t const&)"},
	[OPERATOR_NEW_ARRAY_ALIGNED_NOTHROW] = {"_ZnamSt11align_val_tRKSt9nothrow_t",
		"operator new[](unsigned long, std::align_val_t, std::nothrow_t const&)"},
	[OPERATOR_DELETE] = {"_ZdlPv", "operator delete(void*)"},
	[OPERATOR_DELETE_ARRAY] = {"_ZdaPv", "operator delete[](void*)"},
	[OPERATOR_DELETE_SIZED] = {"_ZdlPvm", "operator delete(void*, unsigned long)"},
	[OPERATOR_DELETE_ARRAY_SIZED] = {"_ZdaPvm", "operator delete[](void*, unsigned long)"},
	[OPERATOR_DELETE_NOTHROW]
	= {"_ZdlPvRKSt9nothrow_t", "operator delete(void*, std::nothrow_t const&)"},
	[OPERATOR_DELETE_ARRAY_NOTHROW]
	= {"_ZdaPvRKSt9nothrow_t", "operator delete[](void*, std::nothrow_t const&)"},
	[OPERATOR_DELETE_ALIGNED]
	= {"_ZdlPvSt11align_val_t", "operator delete(void*, std::align_val_t)"},
	[OPERATOR_DELETE_ARRAY_ALIGNED]
	= {"_ZdaPvSt11align_val_t", "operator delete[](void*, std::align_val_t)"},
	[OPERATOR_DELETE_SIZED_ALIGNED]
	= {"_ZdlPvmSt11align_val_t", "operator delete(void*, unsigned long, std::align_val_t)"},
	[OPERATOR_DELETE_ARRAY_SIZED_ALIGNED]
	= {"_ZdaPvmSt11align_val_t", "operator delete[](void*, unsigned long, std::align_val_t)"},
	[OPERATOR_DELETE_ALIGNED_NOTHROW] = {"_ZdlPvSt11align_val_tRKSt9nothrow_t",
		"operator delete(void*, std::align_val_t, std::nothrow_t const&)"},
	[OPERATOR_DELETE_ARRAY_ALIGNED_NOTHROW] = {"_ZdaPvSt11align_val_tRKSt9nothrow_t",
		"operator delete[](void*, std::align_val_t, std::nothrow_t const&)"},
};

struct next_pair operator_codes[OPERATORS];

bool operator_ready;

// Two threads find and write the same.
__attribute__((noinline)) void
operator_start(void)
{
	const char *symbols[OPERATORS];
	struct next_pair found[OPERATORS];

	for (int form = 0; form < OPERATORS; form++)
		symbols[form] = operator_names[form].symbol;
	next_find(symbols, found, OPERATORS);
	memcpy(operator_codes, found, sizeof(found));
	next_hide(symbols, found, OPERATORS);
	__atomic_store_n(&operator_ready, true, __ATOMIC_RELEASE);
}

static bool
lies_in(uintptr_t pc, const struct next_code *code)
{
	return pc - code->start < code->bytes;
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
			const struct next_pair *code = &operator_codes[form];
			known = lies_in(pc, &code->next);
			if (lies_in(pc, &code->own)) {
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
	stack->frames[0] = operator_codes[outermost].own.start;
	return operator_names[outermost].readable;
}
