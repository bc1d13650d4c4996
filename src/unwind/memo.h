// SPDX-License-Identifier: BSD-2-Clause
// memo: a thread's last stack, of which the next one is mostly a part.
//
// Who may call: the thread whose memo it is, holding the guard. Never allocates but in
// memo_new(), never blocks.
//
// A frame's caller follows from the frame (pc, sp, fp), from the rule for its pc, and from
// the one to three words that the rule reads. The memo keeps those words of each frame. A
// walk goes inwards out, and as soon as it stands on a frame that the memo has, comparing
// the words with what is there now does for unwinding: it reads what unwinding would read,
// and stops at the first that differs. So the result is what unwinding would give, always.
//
// Code without frame pointers keeps anything in fp. Where no frame outwards depends on it,
// neither a frame's fp nor the word it was saved in is compared.
//
// Frames lie outermost first, each with the hash of the stack up to it.
//
// Calls come from a few places in turn, each time leaving some inner frames for others. So the
// ways from such places to where they meet the memo's frames are kept, too, as tails.

#ifndef PMEM_MEMO_H
#define PMEM_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "unwind/unwind.h"
#include "unwind/tail_cache.h"

enum {
	MEMO_WANTED = PMEM_FRAMES - 1, // frames of a stack, without the hook's
	// A walk without help goes on further than that: so many returns and calls later it will
	// still be of use.
	MEMO_FRESH = MEMO_WANTED + MEMO_WANTED / 2 + 1,
	MEMO_FRAMES = 2 * MEMO_FRESH,
	MEMO_ENDS = 2,
};

struct memo_fresh {
	struct unwind at;
	struct unwind_step step;
};

struct memo {
	struct memo_frame *end; // behind the last frame; those before are sound at any moment
	bool ends;              // the first has no caller
	bool in_loop;           // since it is that of an interpreter's loop (RULE_LOOP)
	uint64_t salt; // of what hashes are given out; what is given out again has it already
	// In the order of the frames. The first never holds: it ends the comparing.
	struct saved_word words[1 + WORDS_MAX * MEMO_FRAMES];
	// The first are of no stack, outwards of all. frames[0] is where tails end that are whole stacks,
	// and never another. The hash of frames[1] is that of what was forgotten.
	struct memo_frame frames[MEMO_ENDS + MEMO_FRAMES];
	struct memo_fresh fresh[MEMO_FRESH]; // innermost first, during a walk
	struct tail_cache tails;
};

// A memo that holds nothing; NULL when there is no memory.
struct memo *memo_new(void);

void memo_forget(struct memo *memo);

// The hash of the stack from that frame, a hook's caller's, outwards: of its first
// MEMO_WANTED frames, exclusive-or the salt. A stack that goes on further, or that a signal
// interrupted, is in no loop: its lines may be in the middle of a change.
struct unwind_sum memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// The same without the tails, and the frames, innermost first; their number, 0: lost.
uint32_t memo_frames(struct memo *memo, const struct unwind *from,
	uintptr_t frames[MEMO_WANTED], struct unwind_way *way);

#endif
