// SPDX-License-Identifier: BSD-2-Clause
// saved_word: the words that steps outwards have read from a stack. While these words are
// unchanged, so is the way outwards.
//
// Who may call: as unwind.h. A word that was read once can be read as long as the thread's own
// stack reaches that far.

#ifndef PMEM_SAVED_WORD_H
#define PMEM_SAVED_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/unwind.h"

enum { WORDS_MAX = 3 }; // of one step

struct saved_word {
	uintptr_t at;
	uintptr_t value;
};

// Makes a word that never holds: `at` has its own address, and `value` is 0.
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

// As saved_word_note(), for rare kinds of rules: the step has just read these words.
struct saved_word *saved_word_note_other(struct saved_word *words,
	const struct unwind *from, const struct unwind_step *step, bool needs_fp);

// Appends the words that a step read, and returns their end. If a word's place depends on another
// word, that other word comes after it, since comparing begins at the end. `to` is where the step
// led, with an sp of UINTPTR_MAX if nowhere. `needs_fp`: the frames outwards of `to` depend on fp.
static inline struct saved_word *
saved_word_note(struct saved_word *words, const struct unwind *from,
	const struct unwind_step *step, const struct unwind *to, bool needs_fp)
{
	uint64_t rule = step->rule;

	if (__builtin_expect(to->sp == UINTPTR_MAX || !rule_is_plain(rule), 0))
		return saved_word_note_other(words, from, step, needs_fp);
	// Written in any case. The next word overwrites it if it is not needed.
	*words = (struct saved_word){to->sp + (uintptr_t)rule_fp_offset(rule), to->fp};
	words += needs_fp & rule_saves_fp(rule);
	*words++ = (struct saved_word){to->sp - sizeof(to->pc), to->pc};
	return words;
}

#endif
