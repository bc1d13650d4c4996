// SPDX-License-Identifier: BSD-2-Clause
// memo: keeps a thread's last stack. The thread's next stack mostly differs only in a few inner
// frames.
//
// Who may call: the thread whose memo it is, holding the guard. Allocates only in memo_new(),
// never blocks.
//
// A frame's caller follows from the frame (pc, sp, fp), the rule for its pc, and the words that the
// rule reads. A rule reads one to three words. The memo stores the words for each frame. A walk
// goes from the innermost frame outwards. If the memo has a frame, the walk does not unwind from
// that frame. It compares the memo's words with the words that are now on the stack. The comparison
// reads what unwinding would read, and stops at the first word that differs. So the result is
// always what unwinding would find.
//
// Code without frame pointers may have any value in fp. So a frame's fp is compared only if a step
// from that frame outwards depends on it. The same holds for the word in which a frame saved fp.
//
// Frames are stored outermost first, each with the hash of all frames from the outermost one to
// itself.
//
// A program often allocates from a few places by turns. The stacks of these places differ in some
// inner frames. So the memo also stores tails. A tail is the way from one of these places outwards
// to the first frame that the memo has.

#ifndef PMEM_MEMO_H
#define PMEM_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "unwind/unwind.h"
#include "unwind/tail_cache.h"

enum {
	MEMO_WANTED = PMEM_FRAMES - 1, // frames of a stack, without the hook's
	// A walk that meets no frame of the memo stores up to this many frames. So when some of the
	// inner functions have returned, the memo still has MEMO_WANTED frames of the stack.
	MEMO_FRESH = MEMO_WANTED + MEMO_WANTED / 2 + 1,
	MEMO_FRAMES = 2 * MEMO_FRESH,
	// Entries of frames[] before the first frame.
	MEMO_ENDS = 2,
};

struct memo_fresh {
	struct unwind at;
	struct unwind_step step;
};

struct memo {
	// The words that the steps of all frames have read, in the order of the frames. words[0] always
	// counts as changed, so each comparison ends at words[0]. At the memo's start, so that words[0] has
	// the memo's address.
	struct saved_word words[1 + WORDS_MAX * MEMO_FRAMES];
	// End of the stack's frames in frames[]; frames before it are valid at any moment.
	struct memo_frame *end;
	bool ends; // true if the first frame, the outermost one, is known to have no caller
	// True if the stack ends in an interpreter's loop: the first frame is in the loop (RULE_LOOP).
	// Then `ends` is true, too.
	bool in_loop;
	// label_salt() of the thread's label: mixed into each returned hash, and into a tail's stored
	// hash.
	uint64_t salt;
	uint64_t mark; // of the slot whose memo this is (slot.h)
	struct unwind_sum sum; // of the last stack that no tail has
	// The first two (MEMO_ENDS) are frames of no stack. frames[0] is the `join` of each tail that
	// is a whole stack. frames[1] has the hash of the frames that were forgotten for want of room,
	// or else a seed. The first real frame's hash is computed from it.
	struct memo_frame frames[MEMO_ENDS + MEMO_FRAMES];
	// the frames that the walk under way has made, innermost first
	struct memo_fresh fresh[MEMO_FRESH];
	struct tail_cache tails;
};

// Returns an empty memo, or NULL if there is no memory.
struct memo *memo_new(void);

// Forgets all frames and tails.
void memo_forget(struct memo *memo);

// Takes the stack from a hook's caller outwards. The result has the hash of its innermost MEMO_WANTED
// frames, exclusive-or memo->salt. `loop` in the result is 0 if the stack has more frames than these.
// `loop` is also 0 if a signal interrupted the stack. The interpreter may have been going from one line to
// the next. The result is valid until the memo's next walk. If a tail has the stack, the result is the
// tail's. What is stored there is found again at the stack's next call.
struct unwind_sum *memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// Takes the stack as memo_take() does, but without using tails. Writes its return addresses to
// `frames`, innermost first. Returns their number, or 0 if the walk was lost.
uint32_t memo_frames(struct memo *memo, const struct unwind *from,
	uintptr_t frames[MEMO_WANTED], struct unwind_way *way);

#endif
