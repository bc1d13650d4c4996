#include <stddef.h>

#include "sys.h"
#include "unwind.h"

enum {
	PAGE = 4096,
	CALL_BYTES_MAX = 7,
};

__thread struct unwind_range unwind_known[UNWIND_RANGES];

static void
make_first(unsigned which, struct unwind_range range)
{
	for (; which > 0; which--)
		unwind_known[which] = unwind_known[which - 1];
	unwind_known[0] = range;
}

void
unwind_change_stack(uintptr_t sp)
{
	unsigned which = 0;
	while (which < UNWIND_RANGES && sp - unwind_known[which].low >= unwind_known[which].bytes)
		which++;
	if (which < UNWIND_RANGES)
		make_first(which, unwind_known[which]);
	else
		// The stack has grown, or is another one. This much we stand on.
		make_first(UNWIND_RANGES - 1, (struct unwind_range){sp & -(uintptr_t)PAGE, PAGE});
}

// Out of line: pages are asked for once each, in order.
__attribute__((noinline)) bool
unwind_ask(uintptr_t at)
{
	struct unwind_range *first = &unwind_known[0];
	uintptr_t page = at & -(uintptr_t)PAGE;

	if (!sys_readable(page))
		return false;
	if (page != first->low + first->bytes)
		return true;
	first->bytes += PAGE;
	// A range that begins here is the same stack's, from when it was not as deep.
	for (unsigned i = 1; i < UNWIND_RANGES; i++) {
		struct unwind_range *other = &unwind_known[i];
		if (other->bytes == 0 || first->low + first->bytes - other->low >= other->bytes)
			continue;
		first->bytes = other->low + other->bytes - first->low;
		*other = (struct unwind_range){0};
	}
	return true;
}

// The word at an address that must not be inwards of `sp`.
static bool
read_word(uintptr_t at, uintptr_t sp, uintptr_t *word)
{
	if (at % sizeof(*word) != 0 || at < sp || !unwind_can_read(at))
		return false;
	memcpy(word, (const void *)at, sizeof(*word));
	return true;
}

// A function that realigned its stack keeps the address of its frame in it.
static enum unwind_result
cross_realigned(struct unwind *frame, uint64_t rule)
{
	struct unwind caller = *frame;
	uintptr_t sp = frame->sp;

	if (!read_word(frame->fp + (uintptr_t)rule_cfa_offset(rule), sp, &caller.sp)
		|| caller.sp <= sp || !read_word(caller.sp - sizeof(caller.pc), sp, &caller.pc)
		|| (rule_saves_fp(rule)
			&& !read_word(frame->fp + (uintptr_t)rule_fp_offset(rule), sp, &caller.fp)))
		return UNWIND_LOST;
	if (caller.pc == 0)
		return UNWIND_END;
	*frame = caller;
	return UNWIND_CALLER;
}

// The kernel's frame may lie on another stack than what the signal interrupted.
static enum unwind_result
cross_signal(struct unwind *frame)
{
	struct unwind caller;
	uintptr_t sp = frame->sp;

	if (!read_word(sp + UNWIND_SIGNAL_PC, sp, &caller.pc)
		|| !read_word(sp + UNWIND_SIGNAL_SP, sp, &caller.sp)
		|| !read_word(sp + UNWIND_SIGNAL_FP, sp, &caller.fp) || caller.pc == 0)
		return UNWIND_LOST;
	caller.pc |= RULE_INTERRUPTED;
	*frame = caller;
	return UNWIND_CALLER;
}

static bool
can_read(uintptr_t at, uintptr_t bytes)
{
	return sys_readable(at & -(uintptr_t)PAGE)
		&& sys_readable((at + bytes - 1) & -(uintptr_t)PAGE);
}

// Whether a call instruction ends at pc (Intel SDM volume 2, CALL: E8 cd, or FF /2 with its
// ModR/M, SIB and displacement).
static bool
is_behind_call(uintptr_t pc)
{
	uint8_t code[CALL_BYTES_MAX];

	if (pc < PAGE || !can_read(pc - sizeof(code), sizeof(code)))
		return false;
	memcpy(code, (const void *)(pc - sizeof(code)), sizeof(code));
	if (code[2] == 0xe8)
		return true;
	for (unsigned length = 2; length <= CALL_BYTES_MAX; length++) {
		const uint8_t *call = code + sizeof(code) - length;
		unsigned mode = call[1] >> 6;
		unsigned base = call[1] & 7;
		unsigned wanted = 2;
		if (call[0] != 0xff || (call[1] >> 3 & 7) != 2)
			continue;
		if (mode != 3 && base == 4)
			wanted++; // SIB
		if (mode == 1)
			wanted += 1;
		else if (mode == 2 || (mode == 0 && base == 5)
			|| (mode == 0 && base == 4 && length == CALL_BYTES_MAX && (call[2] & 7) == 5))
			wanted += 4;
		if (wanted == length)
			return true;
	}
	return false;
}

// By the frame pointer, if it is one: its words are asked for each time, since the register
// may hold anything.
static enum unwind_result
guess(struct unwind *frame, struct unwind_step *step)
{
	uintptr_t at = frame->fp;
	uintptr_t words[2];

	step->looked = at % sizeof(at) == 0 && at >= frame->sp && can_read(at, sizeof(words));
	if (!step->looked)
		return UNWIND_END;
	memcpy(words, (const void *)at, sizeof(words));
	if ((words[0] != 0 && words[0] <= at) || !is_behind_call(words[1]))
		return UNWIND_END;
	*frame = (struct unwind){words[1], at + sizeof(words), words[0]};
	return UNWIND_CALLER;
}

__attribute__((noinline)) enum unwind_result
unwind_outwards_other(struct unwind *frame, struct unwind_step *step)
{
	switch (rule_kind(step->rule)) {
	case RULE_AT_FP: return cross_realigned(frame, step->rule);
	case RULE_SIGNAL: return cross_signal(frame);
	case RULE_GUESS: return guess(frame, step);
	case RULE_END: return UNWIND_END;
	default: return UNWIND_LOST;
	}
}
