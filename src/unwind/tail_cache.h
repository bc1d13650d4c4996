// SPDX-License-Identifier: BSD-2-Clause
// tail_cache: the ways from places on a thread's stack to where they meet its memo's frames.
//
// Who may call: the thread whose memo it is. A handler may interrupt at any moment and never come
// back.

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
	struct unwind at; // fp is valid only with needs_fp
	uint64_t hash;
	struct saved_word *words_end; // end of the words that lead outwards from here
	bool needs_fp;               // the frames outwards depend on fp
	// 1 or 2: backtrace() ends here. 2: so do we if it is the last frame, for want of information.
	uint8_t guessed;
};

// The way from a frame to one of the memo's.
struct tail {
	struct unwind at;
	struct unwind_sum sum; // of the whole stack, as memo_take() returns it
	const struct memo_frame *join;
	struct unwind join_at; // the frame there must still be this one
	uint64_t join_hash;
	bool needs_fp;
	bool join_needs_fp;
	// Innermost first. One more word, which never holds, ends the comparison.
	struct saved_word words[TAIL_WORDS + 1];
};

// Where a tail is, and what shows whether it is worth comparing.
struct tail_cache_hint {
	uint32_t key;    // of pc and sp; 0 if no tail
	uint16_t offset; // of the tail's first word, from sp, in words
	uint16_t tail;   // its offset in struct tail_cache, in words; 0 if none was needed yet
	uintptr_t value; // of that first word
};

// The hints that one pc and sp may have, in one cache line.
struct tail_cache_set {
	_Alignas(64) struct tail_cache_hint hints[TAIL_WAYS];
};

struct tail_cache {
	struct tail_cache_set sets[TAIL_SETS];
	uint8_t oldest[TAIL_SETS]; // by set: the hint to be replaced next
	// Number of tails given out: one by one, so that few touch few pages.
	uint32_t given;
	struct tail tails[TAIL_SETS * TAIL_WAYS];
};

_Static_assert(sizeof(struct tail_cache) / sizeof(uint64_t) <= UINT16_MAX, "a hint has its tail's place");

// Compares the words from this frame outwards, four in a turn, which saves a fifth of the time.
// Returns the first word that has changed, or the memo's first word if all hold.
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

// Returns the hash of a pc and sp: the set in its upper bits, the key within the set below.
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

// Stores the way from a memo's last frame to `join`, which is that frame or one outwards of it.
// Returns false if the way is too long.
bool tail_cache_keep(struct tail_cache *tails, const struct memo_frame *last,
	const struct memo_frame *join, struct unwind_sum sum);

// Returns the end of this hint's set.
static inline const struct tail_cache_hint *
tail_cache_hints_end(const struct tail_cache_hint *hint)
{
	uintptr_t set = (uintptr_t)hint & -(uintptr_t)sizeof(struct tail_cache_set);
	return ((const struct tail_cache_set *)set)->hints + TAIL_WAYS;
}

// Returns true if the hint's tail may be the way from a frame with the hint's key.
static inline bool
tail_cache_is_hinted(const struct tail_cache_hint *hint, uintptr_t sp)
{
	uintptr_t at = sp + hint->offset * sizeof(at);
	return unwind_is_known(at) && saved_word_now(at) == hint->value;
}

// Returns true if the tail, whose hint holds, is the way from here. `end` is the end of the memo's
// frames, `words` the first of its words, which never holds.
static inline bool
tail_cache_leads_out(const struct tail *tail, const struct unwind *from,
	const struct memo_frame *end, const struct saved_word *words)
{
	const struct memo_frame *join = tail->join;
	const struct saved_word *word = tail->words + 1;

	if (tail->at.sp != from->sp || tail->at.pc != from->pc
		|| (tail->needs_fp && tail->at.fp != from->fp))
		return false;
	if (join >= end || join->hash != tail->join_hash || join->at.sp != tail->join_at.sp
		|| (tail->join_needs_fp && join->at.fp != tail->join_at.fp))
		return false;
	while (saved_word_holds(word))
		word++;
	// The word that ends the comparison is at its own address.
	return word->at == (uintptr_t)&word->at && memo_compare(join) == words;
}

#endif
