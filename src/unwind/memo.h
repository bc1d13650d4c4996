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
#include "unwind.h"

enum {
	MEMO_WANTED = PMEM_FRAMES - 1, // frames of a stack, without the hook's
	// A walk without help goes on further than that: so many returns and calls later it will
	// still be of use.
	MEMO_FRESH = MEMO_WANTED + MEMO_WANTED / 2 + 1,
	MEMO_FRAMES = 2 * MEMO_FRESH,
	MEMO_WORDS = 3, // of a frame, at most
	MEMO_TAIL_BITS = 7,
	MEMO_TAIL_SETS = 1 << MEMO_TAIL_BITS,
	MEMO_TAIL_WAYS = 4,
	MEMO_TAIL_WORDS = 8,
};

struct memo_word {
	uintptr_t at;
	uintptr_t value;
};

struct memo_frame {
	struct unwind at; // fp: of use only where needs_fp
	uint64_t hash;
	struct memo_word *words_end; // behind the words that lead outwards from here
	bool needs_fp;               // what is outwards depends on fp
	uint8_t guessed;             // 1, 2: backtrace() ends here; 2: and we, if it is the last, for
	                             // want of knowledge
};

struct memo_fresh {
	struct unwind at;
	struct unwind_step step;
};

// What begins at a frame, up to one of the memo's.
struct memo_tail {
	struct unwind at;
	uint64_t hash; // of the whole stack, as memo_take() gives it, with the salt
	const struct memo_frame *join;
	struct unwind join_at; // what is there must be the frame that it was
	uint64_t join_hash;
	bool needs_fp;
	bool join_needs_fp;
	// Innermost first. One more, that never holds, ends the comparing.
	struct memo_word words[MEMO_TAIL_WORDS + 1];
};

// What tells whether a tail is worth looking at.
struct memo_hint {
	uint32_t key;    // of pc and sp; 0: no tail
	uint32_t offset; // of the first word that was read, from sp
	uintptr_t value; // of that word
};

// Of those that one pc and sp may have; the hints are in one cache line.
struct memo_set {
	_Alignas(128) struct memo_hint hints[MEMO_TAIL_WAYS];
	struct memo_tail *tails[MEMO_TAIL_WAYS]; // NULL: none was needed yet
	uint8_t oldest; // goes first
};

struct memo {
	struct memo_frame *end; // behind the last frame; those before are sound at any moment
	bool ends;              // the first has no caller
	bool in_loop;           // since it is that of an interpreter's loop (RULE_LOOP); then no
	                        // frame inwards of it was interrupted
	uint64_t salt; // of what hashes are given out; what is given out again has it already
	// In the order of the frames. The first never holds: it ends the comparing.
	struct memo_word words[1 + MEMO_WORDS * MEMO_FRAMES];
	// frames[0] is of no stack, outwards of all. Its hash is that of what was forgotten.
	struct memo_frame frames[1 + MEMO_FRAMES];
	struct memo_fresh fresh[MEMO_FRESH]; // innermost first, during a walk
	struct memo_set sets[MEMO_TAIL_SETS];
	// Given out one by one, so that few touch few pages.
	uint32_t tails_given;
	struct memo_tail tails[MEMO_TAIL_SETS * MEMO_TAIL_WAYS];
};

// A memo that holds nothing; NULL when there is no memory.
struct memo *memo_new(void);

void memo_forget(struct memo *memo);

// The hash of the stack from that frame, a hook's caller's, outwards: of its first
// MEMO_WANTED frames, exclusive-or the salt. 0: the unwinder lost its way.
uint64_t memo_take(struct memo *memo, uintptr_t pc, uintptr_t sp, uintptr_t fp);

// The same without the tails, and the frames, innermost first; their number, 0: lost.
uint32_t memo_frames(struct memo *memo, const struct unwind *from,
	uintptr_t frames[MEMO_WANTED], struct unwind_way *way);

// Of the stack whose hash memo_take() has just given: whether it ends in an interpreter's loop.
static inline bool
memo_is_in_loop(const struct memo *memo)
{
	return memo->in_loop && memo->ends;
}

// Its outermost frame, where it has all.
static inline uintptr_t
memo_outermost(const struct memo *memo)
{
	return memo->frames[1].at.pc;
}

#endif
