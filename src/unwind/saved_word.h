// SPDX-License-Identifier: BSD-2-Clause
// saved_word: the words that steps outwards have read from a stack: as long as they are what they
// were, so is the way.
//
// Who may call: as unwind.h. What was read once can be read as long as the thread's own stack
// reaches as far.

#ifndef PMEM_SAVED_WORD_H
#define PMEM_SAVED_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/unwind.h"

enum { WORDS_MAX = 3 }; // of a step

struct saved_word {
	uintptr_t at;
	uintptr_t value;
};

// A word that never holds what it should: its own address, and not 0.
static inline void
saved_word_end(struct saved_word *word)
{
	*word = (struct saved_word){(uintptr_t)&word->at, 0};
}

static inline uintptr_t
saved_word_now(uintptr_t at)
{
	uintptr_t word;
	memcpy(&word, (const void *)at, sizeof(word));
	return word;
}

static inline bool
saved_word_holds(const struct saved_word *word)
{
	return saved_word_now(word->at) == word->value;
}

// saved_word_note() of the rare shapes: the step has just read these words.
struct saved_word *saved_word_note_other(struct saved_word *words,
	const struct unwind *from, const struct unwind_step *step, bool needs_fp);

// Notes what a step read: what a word's place depends on comes after it, since comparing
// goes from the end. `to` is where it led, with an sp of UINTPTR_MAX if nowhere, and whether what
// is outwards of there depends on fp. Behind the words there are.
static inline struct saved_word *
saved_word_note(struct saved_word *words, const struct unwind *from,
	const struct unwind_step *step, const struct unwind *to, bool needs_fp)
{
	uint64_t rule = step->rule;

	if (__builtin_expect(to->sp == UINTPTR_MAX || !rule_is_plain(rule), 0))
		return saved_word_note_other(words, from, step, needs_fp);
	// Written in any case, and overwritten by the next when it is not needed.
	*words = (struct saved_word){to->sp + (uintptr_t)rule_fp_offset(rule), to->fp};
	words += needs_fp & rule_saves_fp(rule);
	*words++ = (struct saved_word){to->sp - sizeof(to->pc), to->pc};
	return words;
}

#endif
