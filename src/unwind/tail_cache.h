// SPDX-License-Identifier: BSD-2-Clause
// tail_cache: a thread's tails. A tail is the way from a frame outwards to one of the frames in the
// thread's memo.
//
// Who may call: the thread whose memo it is. A signal handler may interrupt at any moment and never
// return.

#ifndef PMEM_TAIL_CACHE_H
#define PMEM_TAIL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/unwind.h"
#include "unwind/saved_word.h"

enum {
	TAIL_BITS = 7,
	TAIL_SETS = 1 << TAIL_BITS,
	TAIL_WAYS = 4,
	TAIL_WORDS = 8,
};

struct memo_frame {
	struct unwind at; // fp is valid only if needs_fp
	uint64_t hash;
	// end of the words that the steps from this frame outwards have read
	struct saved_word *words_end;
	bool needs_fp;               // true if a step from this frame outwards depends on fp
	// 0 if the frame's rule is from call frame information. 1 or 2 if the rule is a guess, or made
	// from the code's bytes: backtrace() ends at this frame. `guessed` is 2 if a stack that ends at
	// this frame lacks its outer frames (unwind_is_unknown()).
	uint8_t guessed;
};

// The way from the frame `at` to the memo's frame `join`.
//
// In `sum`, `join` is how far that frame is from the memo's start, in words. `needs_fp` has bits: 1 if a
// step from the frame `at` outwards depends on fp, 2 if one from `join` does.
struct tail {
	struct unwind at;
	struct unwind_sum sum; // sum of the whole stack, as memo_take() returned it
	// copy of the frame at `join`; if that frame changes, the tail is void
	uintptr_t join_sp;
	uintptr_t join_fp;
	uint64_t join_hash;
	// The words that the steps read, innermost first. After them is a word that ends each
	// comparison (saved_word_end()).
	struct saved_word words[TAIL_WORDS + 1];
};

// Says where a tail is. `value` saves time: the other words of the tail are compared only if its
// first word is unchanged.
struct tail_cache_hint {
	uint32_t key;    // key of the frame's pc and sp; 0 if no tail
	// distance from the frame's sp to where the tail's first word is on the stack, in words
	uint16_t offset;
	// The tail's distance from the start of struct tail_cache, in words. 0 if the hint never had a
	// tail.
	uint16_t tail;
	uintptr_t value; // value of the tail's first word
};

// All hints for one pc and sp are in one set, which is a cache line.
struct tail_cache_set {
	_Alignas(64) struct tail_cache_hint hints[TAIL_WAYS];
};

struct tail_cache {
	struct tail_cache_set sets[TAIL_SETS];
	uint8_t oldest[TAIL_SETS]; // for each set: the hint to be replaced next
	// Number of entries of `tails` that belong to hints. Entries are taken in order, so that a few
	// tails touch few pages.
	uint32_t given;
	// True in a fork's child until all entries are given: a hint then takes another entry each time. The
	// entries that the parent's hints have lie on all pages, and each page that the child writes is copied.
	bool are_inherited;
	struct tail tails[TAIL_SETS * TAIL_WAYS];
};

_Static_assert(sizeof(struct tail_cache) / sizeof(uint64_t) <= UINT16_MAX, "a hint has its tail's place");

// Compares the saved words of this frame, and of all frames outwards of it, with the stack. Four
// comparisons in each turn of the loop save a fifth of the time. Returns the first word that has
// changed, or the memo's words[0] if no word has changed.
static inline const struct saved_word *
memo_compare(const struct memo_frame *frame)
{
	const struct saved_word *word = frame->words_end - 1;
	for (;; word -= 4) {
		if (!saved_word_holds(word))
			return word;
		if (!saved_word_holds(word - 1))
			return word - 1;
		if (!saved_word_holds(word - 2))
			return word - 2;
		if (!saved_word_holds(word - 3))
			return word - 3;
	}
}

// Returns the hash of a pc and sp. Its upper bits are the number of the set, bits below them the
// key.
static inline uint64_t
tail_cache_hash(uintptr_t pc, uintptr_t sp)
{
	return (pc ^ sp << 20) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline size_t
tail_cache_set(uint64_t hash)
{
	return hash >> (64 - TAIL_BITS);
}

static inline struct tail *
tail_cache_find(struct tail_cache *tails, const struct tail_cache_hint *hint)
{
	return (struct tail *)((uint64_t *)tails + hint->tail);
}

static inline uint32_t
tail_cache_key(uint64_t hash)
{
	return (uint32_t)(hash >> 24) | 1;
}

// Forgets all tails.
void tails_forget(struct tail_cache *tails);

// Stores as a tail the way from `last`, the memo's innermost frame, to `join`. `join` is `last`
// itself or a frame outwards of it. `start` is the memo's words[0], at the memo's start. Returns the
// tail's copy of `sum`, or NULL if the way is too long.
struct unwind_sum *tail_cache_keep(struct tail_cache *tails, const struct memo_frame *last,
	const struct memo_frame *join, const struct saved_word *start, const struct unwind_sum *sum);

// Returns true if a hint is the end of a set's hints, where the next set begins.
static inline bool
tail_cache_is_end(const struct tail_cache_hint *hint)
{
	return (uintptr_t)hint % sizeof(struct tail_cache_set) == 0;
}

// Returns true if the first word of the hint's tail is unchanged on the stack. The caller has
// compared the hint's key with the key of the frame's pc and sp.
static inline bool
tail_cache_is_hinted(const struct tail_cache_hint *hint, uintptr_t sp)
{
	// The hint's other fields must not be loaded before its key. A signal handler may change the
	// hint, and sets its key last.
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	uintptr_t at = sp + hint->offset * sizeof(at);
	return unwind_is_known(at) && saved_word_now(at) == hint->value;
}

// Returns true if the tail is the way outwards from the frame pc, sp and fp. tail_cache_is_hinted()
// must have been true for the tail's hint. `end` is the end of the memo's frames, and `words` is the
// memo's words[0], at the memo's start.
static inline bool
tail_cache_leads_out(const struct tail *tail, uintptr_t pc, uintptr_t sp, uintptr_t fp,
	const struct memo_frame *end, const struct saved_word *words)
{
	const struct memo_frame *join
		= (const struct memo_frame *)((const uint64_t *)words + tail->sum.join);
	const struct saved_word *word = tail->words + 1;

	if (tail->at.sp != sp || tail->at.pc != pc || join >= end || join->hash != tail->join_hash
		|| join->at.sp != tail->join_sp)
		return false;
	if (tail->sum.needs_fp != 0
		&& ((tail->sum.needs_fp & 1 && tail->at.fp != fp)
			|| (tail->sum.needs_fp & 2 && join->at.fp != tail->join_fp)))
		return false;
	while (saved_word_holds(word))
		word++;
	// The first changed word must be the word that ends the tail. Its `at` points to itself
	// (saved_word_end()).
	return word->at == (uintptr_t)&word->at && memo_compare(join) == words;
}

#endif
