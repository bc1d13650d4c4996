// SPDX-License-Identifier: BSD-2-Clause

#include "unwind/x86_64/code_pattern.h"
#include "unwind/x86_64/step.h"

enum unwind_result
step_special(struct unwind *frame, uint64_t rule)
{
	struct unwind caller = *frame;
	uintptr_t sp = frame->sp;

	if (!unwind_read(frame->fp + (uintptr_t)rule_cfa_offset(rule), sp, &caller.sp)
		|| caller.sp <= sp || !unwind_read(caller.sp - sizeof(caller.pc), sp, &caller.pc)
		|| (rule_saves_fp(rule)
			&& !unwind_read(frame->fp + (uintptr_t)rule_fp_offset(rule), sp, &caller.fp)))
		return UNWIND_LOST;
	if (caller.pc == 0)
		return UNWIND_END;
	*frame = caller;
	return UNWIND_CALLER;
}

enum unwind_result
step_guess(struct unwind *frame, struct unwind_step *step)
{
	uintptr_t at = frame->fp;
	uintptr_t words[2];

	step->looked = at % sizeof(at) == 0 && at >= frame->sp && unwind_can_read(at)
		&& unwind_can_read(at + sizeof(at));
	if (!step->looked)
		return UNWIND_END;
	memcpy(words, (const void *)at, sizeof(words));
	if ((words[0] != 0 && words[0] <= at) || !code_pattern_is_call(words[1]))
		return UNWIND_END;
	*frame = (struct unwind){words[1], at + sizeof(words), words[0]};
	return UNWIND_CALLER;
}
