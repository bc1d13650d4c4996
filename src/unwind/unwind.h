// SPDX-License-Identifier: BSD-2-Clause
// unwind: one step from a frame to its caller's.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks, takes no lock of
// ours. Every word that it reads from a stack is aligned and lies outwards of the frame. The
// word's page can be read: the kernel says so, once and for all for the thread's own stack, in
// each walk for others. So neither wrong call frame information nor a damaged stack makes it
// fault. (x86-64, System V psABI, section 3.2.)
//
// Code without call frame information is crossed by its frame pointer. The frame pointer must lead
// to an address that follows a call. CPython's trampolines have no frame pointer, and are
// recognized by their bytes (code_pattern.h).

#ifndef PMEM_UNWIND_H
#define PMEM_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/rule.h"

// A frame: the address where it continues (see RULE_INTERRUPTED), and its stack and frame pointer
// there.
struct unwind {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t fp;
};

enum unwind_result {
	UNWIND_CALLER, // the frame is now its caller's
	UNWIND_END,    // the frame has no caller
	UNWIND_LOST,   // the caller is unknown: the stack ends here
};

// How a step was made. What it read follows from this and from the frames at both its ends.
struct unwind_step {
	uint64_t rule;
	// For RULE_GUESS: true if the two words at the frame pointer were read.
	bool looked;
};

// How a stack was found.
struct unwind_way {
	bool cut;     // there are more frames
	bool guessed; // not all frames are sure
	bool lost;    // the frames outwards of the last one are not known
	bool unknown; // likewise, since nothing describes the last frame's code
	bool in_loop; // it ends in an interpreter's loop (RULE_LOOP)
	bool interrupted; // and a signal came there, or inwards of that frame
};

// A stack's hash, by which its source is found.
struct unwind_sum {
	uint64_t hash;  // 0 if the walk was lost
	uintptr_t loop; // its outermost return address, if that is in an interpreter's loop; else 0
};

// A part of a stack that is known to be readable, in whole pages; 0 and 0 if empty.
struct unwind_range {
	uintptr_t low;
	uintptr_t bytes;
};

enum {
	// Offsets of a handler's caller's registers, which the kernel saves, from the stack pointer at
	// the handler's return: struct ucontext (Linux, arch/x86/include/uapi/asm/sigcontext.h).
	UNWIND_SIGNAL_FP = 40 + 10 * 8,
	UNWIND_SIGNAL_SP = 40 + 15 * 8,
	UNWIND_SIGNAL_PC = 40 + 16 * 8,
	UNWIND_RED_ZONE = 128,
};

// The range that the calling thread need not ask about in this walk. Between walks it is of the
// thread's own stack: only that stack cannot be replaced unnoticed.
extern __thread struct unwind_range unwind_known;

// Finds the range for the stack that the thread runs on. A walk on any stack but the thread's own
// is fleeting (see rule.h). So is a walk that reads elsewhere.
void unwind_change_stack(uintptr_t sp);

// Called after a walk that has set rule_walk_met.
void unwind_end_odd(void);

// Called after a walk inside another walk, which had this range.
void unwind_restore(struct unwind_range known);

// Asks the kernel about a word outside the range. Returns false if it cannot be read.
bool unwind_ask(uintptr_t at);

// Steps by the rules that are not plain: signals, guesses, ends.
enum unwind_result unwind_outwards_other(struct unwind *frame, struct unwind_step *step);

// Returns true if a stack that ends in a frame with this rule and fp ends for want of information.
// With an fp of 0 the frame is the outermost one (psABI 3.4.1).
static inline bool
unwind_is_unknown(uint64_t rule, uintptr_t fp)
{
	return rule_kind(rule) == RULE_GUESS && fp != 0;
}

// Called before the first step of a walk, which begins at a hook's caller. Returns unwind_end() of
// it.
static inline uintptr_t
unwind_begin(const struct unwind *from)
{
	// The place of the hook's return address, which we have just read.
	uintptr_t sp = from->sp - sizeof(from->pc);

	rule_walk_began = from->pc;
	if (__builtin_expect(sp - unwind_known.low >= unwind_known.bytes, 0))
		unwind_change_stack(sp);
	// The range has whole pages, and that word.
	return sp % sizeof(sp) == 0 ? unwind_known.low + unwind_known.bytes : 0;
}

// Returns true if the word is known to be readable in this walk.
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

// Returns the end of what is known to be readable outwards of this stack pointer in this walk.
// Returns 0 if sp is not aligned, or nothing is known.
static inline uintptr_t
unwind_end(uintptr_t sp)
{
	return sp % sizeof(sp) == 0 && sp - unwind_known.low <= unwind_known.bytes
		? unwind_known.low + unwind_known.bytes : 0;
}

// Finds where an easy step leads from this frame. Returns false if the step is not easy. `end` is
// unwind_end() of the frame, or of a frame from which easy steps led here.
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

// Makes that step. Returns false, with the frame unchanged, if the frame has no caller.
static inline bool
unwind_easily(struct unwind *frame, const struct unwind_step *step, uintptr_t cfa)
{
	uintptr_t pc, fp;

	memcpy(&pc, (const void *)(cfa - sizeof(pc)), sizeof(pc));
	memcpy(&fp, (const void *)(cfa + (uintptr_t)rule_fp_offset(step->rule)), sizeof(fp));
	if (__builtin_expect(pc == 0, 0))
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
		// A copy, so that the frame itself need not lie in memory.
		struct unwind other = *frame;
		enum unwind_result result = unwind_outwards_other(&other, step);
		*frame = other;
		return result;
	}
	// Selects one of two registers and one of two places without a branch, which would be
	// mispredicted.
	uintptr_t base = frame->sp ^ ((frame->sp ^ frame->fp) & -(uintptr_t)(rule & 1));
	uintptr_t cfa = base + (uintptr_t)rule_cfa_offset(rule);
	uintptr_t fp_at = cfa + (uintptr_t)rule_fp_offset(rule);
	uintptr_t saves_fp = -(uintptr_t)rule_saves_fp(rule);
	// The caller's stack begins where ours ends. A frame interrupted after its pops still has fp
	// where it was saved, in the red zone (psABI 3.2.2).
	if (__builtin_expect(cfa <= frame->sp || fp_at + UNWIND_RED_ZONE < frame->sp
			|| cfa % sizeof(pc) != 0, 0)
		|| !unwind_can_read(cfa - sizeof(pc)) || !unwind_can_read(fp_at))
		return UNWIND_LOST;
	memcpy(&pc, (const void *)(cfa - sizeof(pc)), sizeof(pc));
	memcpy(&fp, (const void *)fp_at, sizeof(fp));
	if (__builtin_expect(pc == 0, 0))
		return UNWIND_END;
	*frame = (struct unwind){pc, cfa, (fp & saves_fp) | (frame->fp & ~saves_fp)};
	return UNWIND_CALLER;
}

#endif
