// SPDX-License-Identifier: BSD-2-Clause

#include "unwind/aarch64/step.h"

__thread uintptr_t step_lr;

// A memo could not tell when x30 has changed, since only this walk knows where the kernel saved it. So
// the memo forgets the walk. The register is used once: no later frame has it.
enum unwind_result
step_special(struct unwind *frame, uint64_t rule)
{
	struct unwind caller = *frame;

	caller.pc = registers_code(step_lr);
	step_lr = 0;
	caller.sp = frame->sp + (uintptr_t)rule_cfa_offset(rule);
	if (!(frame->pc & RULE_INTERRUPTED) || caller.sp < frame->sp
		|| (rule_saves_fp(rule)
			&& !unwind_read(caller.sp + (uintptr_t)rule_fp_offset(rule), frame->sp, &caller.fp)))
		return UNWIND_LOST;
	rule_walk_met |= RULE_WALK_FLEETING;
	if (!registers_may_be_code(caller.pc))
		return caller.pc == 0 ? UNWIND_END : UNWIND_LOST;
	*frame = caller;
	return UNWIND_CALLER;
}
