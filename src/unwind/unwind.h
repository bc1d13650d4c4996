// SPDX-License-Identifier: BSD-2-Clause
// unwind: one step from a frame to its caller's. Outwards means towards callers, so to higher
// addresses of one stack; inwards is the other way.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks, takes no lock of
// ours. Every word that a step reads from a stack is aligned and lies outwards of the frame. The
// kernel has said that the word's page can be read. The kernel is asked once about the thread's own
// stack, and in each walk about other stacks. So neither wrong call frame information nor a damaged
// stack makes a step fault.
//
// On x86-64 code without call frame information is crossed by its frame pointer. The frame pointer must
// lead to an address that follows a call. CPython's trampolines have no frame pointer, and are
// recognized by their bytes (code_pattern.h). On aarch64 such code ends the stack. On both, callers of
// musl's own code are found from its instructions (code_path.h).

#ifndef PMEM_UNWIND_H
#define PMEM_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/rule.h"

// A frame: the address at which it continues (see RULE_INTERRUPTED), and its stack pointer and
// frame pointer at this address.
struct unwind {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t fp;
};

enum unwind_result {
	UNWIND_CALLER, // the step was made: the struct unwind now has the caller's frame
	UNWIND_END,    // the frame has no caller
	UNWIND_LOST,   // the caller is unknown: the stack ends here
};

// How a step was made. Which words the step read follows from this struct and from the frames
// before and after the step.
struct unwind_step {
	uint64_t rule;
	// For RULE_GUESS: true if the two words at the frame pointer were read.
	bool looked;
};

// What a walk found out about a stack as a whole.
struct unwind_way {
	bool cut;     // the stack has more frames than were taken
	bool guessed; // some frame was found by a guess (RULE_GUESS), or by its code's bytes
	bool lost;    // the frames outwards of the last frame are not known
	bool unknown; // the stack ends at code without unwind information; then `lost` is false
	bool in_loop; // the stack ends in an interpreter's loop (RULE_LOOP)
	bool interrupted; // a signal came in one of the frames
};

struct counter;

// What a walk returns about a stack: the hash that finds the stack's source, and where the stack
// ends.
struct unwind_sum {
	uint64_t hash;  // 0 if the caller of a wanted frame was not found (UNWIND_LOST)
	// The stack's outermost return address, if it is in an interpreter's loop; else 0.
	uintptr_t loop;
	// The next four fields are kept here by the caller (record.c), for the stack's next call. `hook` is the
	// called hook's entry plus the slot's mark, or the mark alone if nothing is kept yet. If the stack has
	// script lines, all bits of `hook` are inverted. The fields then hold only if `lines` is the hash of
	// the stack with its lines.
	uint64_t hook;
	uint64_t lines;
	struct counter *counter; // the source's counter in the slot
	uint32_t source;
	// The next two fields are the memo's own (tail_cache.h).
	uint16_t join;
	uint8_t needs_fp;
};

// A part of a stack that is known to be readable, in whole pages; 0 and 0 if empty.
struct unwind_range {
	uintptr_t low;
	uintptr_t bytes;
};

// The addresses that this walk may read without asking the kernel. Between walks the range is a
// part of the thread's own stack. Any other stack may be unmapped without our noticing.
extern __thread struct unwind_range unwind_known;

// Sets unwind_known for the stack that has `sp`. If this is not the thread's own stack, marks the
// walk with RULE_WALK_FLEETING. If the walk later reads outside the thread's own stack,
// unwind_ask() marks it.
void unwind_change_stack(uintptr_t sp);

// Sets unwind_known for the thread's own stack, and rule_walk_met to 0. Called after a walk that
// has set rule_walk_met.
void unwind_end_odd(void);

// Sets unwind_known to `known`. Called after a walk that interrupted another walk; `known` is the
// interrupted walk's range.
void unwind_restore(struct unwind_range known);

// Returns true if the word at an address outside unwind_known can be read. Asks the kernel, unless
// the word is on the thread's own stack.
bool unwind_ask(uintptr_t at);

// Reads the word at an address, which must not be inwards of `sp`.
bool unwind_read(uintptr_t at, uintptr_t sp, uintptr_t *word);

// Makes a step by a rule that is not plain: a realigned stack, a signal, a guess, an end.
enum unwind_result unwind_outwards_other(struct unwind *frame, struct unwind_step *step);

// Returns true if a stack ends too early, for want of unwind information. `rule` and `fp` are those
// of the stack's last frame. If fp is 0, that frame is the outermost frame (psABI 3.4.1), so
// nothing is missing. On musl fp may be 0 elsewhere (RULE_BY_BYTES).
static inline bool
unwind_is_unknown(uint64_t rule, uintptr_t fp)
{
	return (rule_kind(rule) == RULE_GUESS && fp != 0)
		|| (rule_kind(rule) == RULE_END && rule_is_by_bytes(rule));
}

// Called before the first step of a walk, which begins at a hook's caller. Returns unwind_end() for
// the caller's sp.
static inline uintptr_t
unwind_begin(const struct unwind *from)
{
	// The word below the caller's sp. On x86-64 it has the hook's return address, which has just been
	// read. On aarch64 it lies in the hook's frame. So the word's page can be read.
	uintptr_t sp = from->sp - sizeof(from->pc);

	rule_walk_began = from->pc;
	if (__builtin_expect(sp - unwind_known.low >= unwind_known.bytes, 0))
		unwind_change_stack(sp);
	// The range has whole pages, one of which has the word at sp. So the range reaches at least to
	// from->sp.
	return sp % sizeof(sp) == 0 ? unwind_known.low + unwind_known.bytes : 0;
}

// Returns true if the word at this address is known to be readable in this walk.
static inline bool
unwind_is_known(uintptr_t at)
{
	return __builtin_expect(at - unwind_known.low < unwind_known.bytes, 1);
}

static inline bool
unwind_can_read(uintptr_t at)
{
	return unwind_is_known(at) || unwind_ask(at);
}

// Returns the end of the memory that is known in this walk to be readable outwards of this stack
// pointer. Returns 0 if sp is not aligned, or no memory is known to be readable.
static inline uintptr_t
unwind_end(uintptr_t sp)
{
	return sp % sizeof(sp) == 0 && sp - unwind_known.low <= unwind_known.bytes
		? unwind_known.low + unwind_known.bytes : 0;
}

// Sets `cfa` to where an easy step (RULE_EASY) leads from this frame. Returns false if the step is
// not easy. `end` is unwind_end() of the frame, or of a frame from which easy steps led here.
static inline bool
unwind_is_easy(
	const struct unwind *frame, uintptr_t end, struct unwind_step *step, uintptr_t *cfa)
{
	uint64_t rule = rule_of(rule_own_entry(frame->pc), frame->pc);

	if (__builtin_expect(rule == RULE_UNKNOWN, 0))
		rule = rule_in_set(frame->pc);
	step->rule = rule;
	*cfa = frame->sp + (uintptr_t)rule_cfa_offset(rule);
	return __builtin_expect(rule_is_easy(rule) && *cfa <= end, 1);
}

// Makes the step that unwind_is_easy() has found. Returns false, with the frame unchanged, if the
// frame has no caller, or its caller is unknown.
static inline bool
unwind_easily(struct unwind *frame, const struct unwind_step *step, uintptr_t cfa)
{
	uintptr_t pc, fp;

	memcpy(&pc, (const void *)(cfa + (uintptr_t)rule_ra_offset(step->rule)), sizeof(pc));
	memcpy(&fp, (const void *)(cfa + (uintptr_t)rule_fp_offset(step->rule)), sizeof(fp));
	pc = registers_code(pc);
	if (__builtin_expect(!registers_may_be_code(pc), 0))
		return false;
	frame->pc = pc;
	frame->sp = cfa;
	frame->fp = rule_saves_fp(step->rule) ? fp : frame->fp;
	return true;
}

// Makes one step. Changes the frame only if it returns UNWIND_CALLER.
static inline __attribute__((always_inline)) enum unwind_result
unwind_outwards(struct unwind *frame, struct unwind_step *step)
{
	uint64_t rule = rule_for(frame->pc);
	uintptr_t pc, fp;

	step->rule = rule;
	if (__builtin_expect(!rule_is_plain(rule), 0)) {
		// A copy, so that `*frame` can stay in registers.
		struct unwind other = *frame;
		enum unwind_result result = unwind_outwards_other(&other, step);
		*frame = other;
		return result;
	}
	// Masks select sp or fp as the base, and later the saved fp or the frame's own fp. A branch
	// would often be mispredicted.
	uintptr_t base = frame->sp ^ ((frame->sp ^ frame->fp) & -(uintptr_t)(rule & 1));
	uintptr_t cfa = base + (uintptr_t)rule_cfa_offset(rule);
	uintptr_t fp_at = cfa + (uintptr_t)rule_fp_offset(rule);
	uintptr_t saves_fp = -(uintptr_t)rule_saves_fp(rule);
	// The cfa must be outwards of sp. On x86-64 the saved fp may lie inwards of sp, in the red zone
	// (psABI 3.2.2). This happens if a signal interrupted the frame after the frame popped its registers.
	if (__builtin_expect(cfa <= frame->sp || fp_at + UNWIND_RED_ZONE < frame->sp
			|| (RULE_WORD_HAS_RA && cfa + (uintptr_t)rule_ra_offset(rule) < frame->sp)
			|| cfa % sizeof(pc) != 0, 0)
		|| !unwind_can_read(cfa + (uintptr_t)rule_ra_offset(rule)) || !unwind_can_read(fp_at))
		return UNWIND_LOST;
	memcpy(&pc, (const void *)(cfa + (uintptr_t)rule_ra_offset(rule)), sizeof(pc));
	memcpy(&fp, (const void *)fp_at, sizeof(fp));
	pc = registers_code(pc);
	if (__builtin_expect(!registers_may_be_code(pc), 0))
		return pc == 0 ? UNWIND_END : UNWIND_LOST;
	*frame = (struct unwind){pc, cfa, (fp & saves_fp) | (frame->fp & ~saves_fp)};
	return UNWIND_CALLER;
}

#endif
