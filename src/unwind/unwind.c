// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "unwind/stack_bounds.h"
#include "unwind/step.h"
#include "unwind/unwind.h"

enum {
	PAGE = 4096,
};

__thread struct unwind_range unwind_known;

// The part of the thread's own stack that is known to be readable. This part reaches to the outer
// end of the stack. A thread's own stack is the stack with which the thread began. This stack stays
// mapped while the thread lives. Any other stack may be unmapped at any time.
static __thread struct unwind_range own;

// A signal handler may interrupt here and never return. So the range is empty while its fields
// change.
static void
set_range(struct unwind_range *range, struct unwind_range to)
{
	range->bytes = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	range->low = to.low;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	range->bytes = to.bytes;
}

static bool
is_in(uintptr_t at, const struct unwind_range *range)
{
	return at - range->low < range->bytes;
}

static bool
learn_own(uintptr_t sp)
{
	uintptr_t from = sp & -(uintptr_t)PAGE;
	uintptr_t end = stack_bounds_end(sp, own.bytes ? own.low : 0);

	if (end == 0)
		return false;
	set_range(&own, (struct unwind_range){from, end - from});
	return true;
}

void
unwind_change_stack(uintptr_t sp)
{
	if (is_in(sp, &own) || learn_own(sp)) {
		set_range(&unwind_known, own);
		return;
	}
	// The thread runs on the page that has sp, so that page can be read.
	rule_walk_met |= RULE_WALK_FLEETING;
	set_range(&unwind_known, (struct unwind_range){sp & -(uintptr_t)PAGE, PAGE});
}

void
unwind_end_odd(void)
{
	set_range(&unwind_known, own);
	rule_walk_met = 0;
}

void
unwind_restore(struct unwind_range known)
{
	set_range(&unwind_known, known);
}

// Not inlined, since it is rarely called. A walk reads outwards, so it asks the kernel about each
// page only once.
__attribute__((noinline)) bool
unwind_ask(uintptr_t at)
{
	uintptr_t page = at & -(uintptr_t)PAGE;

	if (is_in(at, &own))
		return true;
	rule_walk_met |= RULE_WALK_FLEETING;
	if (!sys_readable(page))
		return false;
	if (page == unwind_known.low + unwind_known.bytes)
		unwind_known.bytes += PAGE;
	return true;
}

bool
unwind_read(uintptr_t at, uintptr_t sp, uintptr_t *word)
{
	if (at % sizeof(*word) != 0 || at < sp || !unwind_can_read(at))
		return false;
	memcpy(word, (const void *)at, sizeof(*word));
	return true;
}

// Steps from the frame that the kernel made for a signal handler to the interrupted frame. The
// interrupted frame may have a lower sp, since it may be on another stack.
static enum unwind_result
cross_signal(struct unwind *frame)
{
	struct unwind caller;
	uintptr_t sp = frame->sp;

	if (!unwind_read(sp + UNWIND_SIGNAL_PC, sp, &caller.pc)
		|| !unwind_read(sp + UNWIND_SIGNAL_SP, sp, &caller.sp)
		|| !unwind_read(sp + UNWIND_SIGNAL_FP, sp, &caller.fp) || !registers_may_be_code(caller.pc)
		|| !step_note_signal(sp))
		return UNWIND_LOST;
	caller.pc |= RULE_INTERRUPTED;
	rule_walk_met |= RULE_WALK_SIGNAL;
	*frame = caller;
	return UNWIND_CALLER;
}

__attribute__((noinline)) enum unwind_result
unwind_outwards_other(struct unwind *frame, struct unwind_step *step)
{
	switch (rule_kind(step->rule)) {
	case RULE_SPECIAL: return step_special(frame, step->rule);
	case RULE_SIGNAL: return cross_signal(frame);
	case RULE_GUESS: return step_guess(frame, step);
	case RULE_END: return UNWIND_END;
	default: return UNWIND_LOST;
	}
}
