// SPDX-License-Identifier: BSD-2-Clause
// memo: a thread's last stack. Most of the next stack is a part of it.
//
// Who may call: the thread whose memo it is, holding the guard. Allocates only in memo_new(),
// never blocks.
//
// A frame's caller follows from the frame (pc, sp, fp), its pc's rule, and the words that the rule
// reads. There are one to three such words. The memo has them for each frame. A walk goes from the
// innermost frame outwards. On a frame that the memo has, the walk compares the memo's words with
// the present ones instead of unwinding. It reads what unwinding would read, and stops at the first
// word that differs. So the result is always what unwinding would find.
//
// Code without frame pointers may have any value in fp. If no frame outwards depends on it,
// neither a frame's fp nor the word it was saved in is compared.
//
// Frames are stored outermost first, each with the hash of the stack up to it.
//
// Calls alternate between a few places, each time replacing some inner frames. So the memo also
// stores tails: the ways from such places to where they meet the memo's frames.

#ifndef PMEM_MEMO_H
#define PMEM_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "unwind/unwind.h"
#include "unwind/tail_cache.h"

enum {
	MEMO_WANTED = PMEM_FRAMES - 1, // frames of a stack, without the hook's
	// A walk that meets no frame of the memo goes further than MEMO_WANTED: the memo is still of
	// use after that many more returns and calls.
	MEMO_FRESH = MEMO_WANTED + MEMO_WANTED / 2 + 1,
	MEMO_FRAMES = 2 * MEMO_FRESH,
	MEMO_ENDS = 2,
};

struct memo_fresh {
	struct unwind at;
	struct unwind_step step;
};

struct memo {
	struct memo_frame *end; // after the last frame; frames before it are valid at any moment
	bool ends;              // the first frame has no caller
	bool in_loop;           // since it is an interpreter's loop (RULE_LOOP)
	uint64_t salt; // mixed into returned hashes; tails' hashes have it already
	// In the order of the frames. The first never holds: it ends the comparison.
	struct saved_word words[1 + WORDS_MAX * MEMO_FRAMES];
	// The first two are of no stack, outwards of all. frames[0] is where tails end that are whole
	// stacks, and is used for nothing else. The hash of frames[1] is that of the forgotten frames.
	struct memo_frame frames[MEMO_ENDS + MEMO_FRAMES];
	struct memo_fresh fresh[MEMO_FRESH]; // innermost first, during a walk
	struct tail_cache tails;
};

// Returns an empty memo, or NULL if there is no memory.
struct memo *memo_new(void);

void memo_forget(struct memo *memo);

// Returns the hash of the stack from a hook's caller outwards: of its first MEMO_WANTED frames,
// exclusive-or the salt. A longer stack is in no loop. Neither is a stack that a signal
// interrupted: its lines may be changing.
struct unwind_sum memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// As memo_take(), without the tails. Sets the frames, innermost first. Returns their number, or 0
// if the walk was lost.
uint32_t memo_frames(struct memo *memo, const struct unwind *from,
	uintptr_t frames[MEMO_WANTED], struct unwind_way *way);

#endif
