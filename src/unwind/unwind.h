// SPDX-License-Identifier: BSD-2-Clause
// unwind: one step from a frame to its caller's.
//
// Who may call: a thread that holds the guard. Never allocates, never blocks, takes no lock
// of ours. Every word it reads from a stack is aligned, lies outwards of where it stands,
// and is on a page that the kernel says can be read, on the thread's own stack once and for
// all, elsewhere in each walk: whatever the call frame information or the stack say, it does
// not fault. (x86-64, System V psABI, section 3.2.)
//
// Code without call frame information is crossed by its frame pointer, where one is there
// and a call stands before the address it leads to. CPython's trampolines, which keep none, are
// known by their bytes (code_pattern.h).

#ifndef PMEM_UNWIND_H
#define PMEM_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/rule.h"

// A frame: where it goes on (see RULE_INTERRUPTED), and its stack and frame pointer there.
struct unwind {
	uintptr_t pc;
	uintptr_t sp;
	uintptr_t fp;
};

enum unwind_result {
	UNWIND_CALLER, // the frame is now its caller's
	UNWIND_END,    // there is none
	UNWIND_LOST,   // nothing tells: the stack ends here
};

// How a step was made. What it read follows from this and the frames at both its ends.
struct unwind_step {
	uint64_t rule;
	// Of RULE_GUESS: the two words at the frame pointer were read.
	bool looked;
};

// How a stack was found.
struct unwind_way {
	bool cut;     // there are more frames
	bool guessed; // not all are sure
	bool lost;    // what is outwards of the last one is not known
	bool unknown; // likewise, since nothing describes the code that it is in
	bool in_loop; // it ends in an interpreter's loop (RULE_LOOP)
	bool interrupted; // and a signal came there, or inwards of it
};

// What a stack is known by.
struct unwind_sum {
	uint64_t hash;  // 0: lost
	uintptr_t loop; // its outermost return address, where that is in an interpreter's loop; else 0
};

// A part of a stack that is known to be readable, in whole pages; empty: 0 and 0.
struct unwind_range {
	uintptr_t low;
	uintptr_t bytes;
};

enum {
	// Where the kernel saves a handler's caller's registers, from the stack pointer at the
	// handler's return: struct ucontext (Linux, arch/x86/include/uapi/asm/sigcontext.h).
	UNWIND_SIGNAL_FP = 40 + 10 * 8,
	UNWIND_SIGNAL_SP = 40 + 15 * 8,
	UNWIND_SIGNAL_PC = 40 + 16 * 8,
	UNWIND_RED_ZONE = 128,
};

// What the calling thread needs not ask about in this walk. Between walks it is of the
// thread's own stack, since that alone cannot become another without a word.
extern __thread struct unwind_range unwind_known;

// Finds the range for the stack that the thread runs on. A walk on any stack but its own is
// fleeting (see rule.h), as is one that looks elsewhere.
void unwind_change_stack(uintptr_t sp);

// After a walk that met anything.
void unwind_end_odd(void);

// After a walk in the middle of another, that had this range.
void unwind_restore(struct unwind_range known);

// A word that is not in the range: asks the kernel. False: it cannot be read.
bool unwind_ask(uintptr_t at);

// Signals, guesses, ends: what no plain rule is for.
enum unwind_result unwind_outwards_other(struct unwind *frame, struct unwind_step *step);

// Whether a stack that ends in a frame with this rule and fp does so for want of knowledge: where
// fp is 0 it is the outermost one (psABI 3.4.1).
static inline bool
unwind_is_unknown(uint64_t rule, uintptr_t fp)
{
	return rule_kind(rule) == RULE_GUESS && fp != 0;
}

// Before the first step of a walk, from a hook's caller. unwind_end() of that.
static inline uintptr_t
unwind_begin(const struct unwind *from)
{
	// The return address, which we have just read.
	uintptr_t sp = from->sp - sizeof(from->pc);

	rule_walk_began = from->pc;
	if (__builtin_expect(sp - unwind_known.low >= unwind_known.bytes, 0))
		unwind_change_stack(sp);
	// The range is in whole pages, and has that word.
	return sp % sizeof(sp) == 0 ? unwind_known.low + unwind_known.bytes : 0;
}

// Whether it is known to be readable, in this walk.
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

// The end of what is known to be readable outwards of this stack pointer, in this walk; 0: it is
// not aligned, or nothing is.
static inline uintptr_t
unwind_end(uintptr_t sp)
{
	return sp % sizeof(sp) == 0 && sp - unwind_known.low <= unwind_known.bytes
		? unwind_known.low + unwind_known.bytes : 0;
}

// Where an easy step leads from this frame. False: the step is another. `end` is unwind_end() of
// the frame, or of one inwards of it by such steps.
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

// That step. False: it leads nowhere, and nothing was done.
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

// One step. Unless it gives UNWIND_CALLER the frame is as it was.
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
	// Of two processor registers, and of two places, without a branch that nobody foresees.
	uintptr_t base = frame->sp ^ ((frame->sp ^ frame->fp) & -(uintptr_t)(rule & 1));
	uintptr_t cfa = base + (uintptr_t)rule_cfa_offset(rule);
	uintptr_t fp_at = cfa + (uintptr_t)rule_fp_offset(rule);
	uintptr_t saves_fp = -(uintptr_t)rule_saves_fp(rule);
	// The caller's stack begins where ours ends. A frame that was interrupted behind its pops
	// has fp still where it was saved, in the red zone (psABI 3.2.2).
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
