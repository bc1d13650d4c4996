// SPDX-License-Identifier: BSD-2-Clause
// tail_cache: ways from places on a thread's stack to where they meet its memo's frames.
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
	struct unwind at; // fp: of use only where needs_fp
	uint64_t hash;
	struct saved_word *words_end; // behind the words that lead outwards from here
	bool needs_fp;               // what is outwards depends on fp
	uint8_t guessed;             // 1, 2: backtrace() ends here; 2: and we, if it is the last, for
	                             // want of knowledge
};

// What begins at a frame, up to one of the memo's.
struct tail {
	struct unwind at;
	struct unwind_sum sum; // of the whole stack, as memo_take() gives it
	const struct memo_frame *join;
	struct unwind join_at; // what is there must be the frame that it was
	uint64_t join_hash;
	bool needs_fp;
	bool join_needs_fp;
	// Innermost first. One more, that never holds, ends the comparing.
	struct saved_word words[TAIL_WORDS + 1];
};

// Where a tail is, and what tells whether it is worth looking at.
struct tail_cache_hint {
	uint32_t key;    // of pc and sp; 0: no tail
	uint16_t offset; // of the first word that was read, from sp, in words
	uint16_t tail;   // where it is in struct tail_cache, in words; 0: none was needed yet
	uintptr_t value; // of that word
};

// Of those that one pc and sp may have, in one cache line.
struct tail_cache_set {
	_Alignas(64) struct tail_cache_hint hints[TAIL_WAYS];
};

struct tail_cache {
	struct tail_cache_set sets[TAIL_SETS];
	uint8_t oldest[TAIL_SETS]; // of each set's hints, goes first
	// Given out one by one, so that few touch few pages.
	uint32_t given;
	struct tail tails[TAIL_SETS * TAIL_WAYS];
};

_Static_assert(sizeof(struct tail_cache) / sizeof(uint64_t) <= UINT16_MAX, "a hint has its tail's place");

// Compares the words from this frame outwards, four in a turn, which saves a fifth of it. The first
// that has changed: the first of all when all hold.
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

// Of a pc and sp: a set of tails in the upper bits, a key within it below.
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

// Forgets all.
void tails_forget(struct tail_cache *tails);

// Keeps the way from a memo's last frame to `join`, outwards of it or itself. False: it is too
// long.
bool tail_cache_keep(struct tail_cache *tails, const struct memo_frame *last,
	const struct memo_frame *join, struct unwind_sum sum);

// Behind the last hint of this one's set.
static inline const struct tail_cache_hint *
tail_cache_hints_end(const struct tail_cache_hint *hint)
{
	uintptr_t set = (uintptr_t)hint & -(uintptr_t)sizeof(struct tail_cache_set);
	return ((const struct tail_cache_set *)set)->hints + TAIL_WAYS;
}

// Whether its tail may be the way from a frame with its key.
static inline bool
tail_cache_is_hinted(const struct tail_cache_hint *hint, uintptr_t sp)
{
	uintptr_t at = sp + hint->offset * sizeof(at);
	return unwind_is_known(at) && saved_word_now(at) == hint->value;
}

// Whether the tail, whose hint holds, is the way from here. `end` is behind the memo's last frame,
// `words` the first of its words, which never holds.
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
	// The one that ends it is its own address.
	return word->at == (uintptr_t)&word->at && memo_compare(join) == words;
}

#endif
