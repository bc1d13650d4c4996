// SPDX-License-Identifier: BSD-2-Clause
// saved_word: the words that steps outwards have read from a stack. While these words are
// unchanged, the same steps lead to the same frames.
//
// Who may call: a thread that holds the guard, as for unwind.h. A word of the thread's own stack
// that was read once can be read again while the thread lives.

#ifndef PMEM_SAVED_WORD_H
#define PMEM_SAVED_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "unwind/unwind.h"

enum { WORDS_MAX = 3 }; // upper bound of the words that one step reads

struct saved_word {
	uintptr_t at;
	uintptr_t value;
};

// Makes a word for which saved_word_holds() is always false. `at` points to itself, so the word at
// that address is not 0. But `value` is 0.
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

// Does the same as saved_word_note(), for a rule that is not plain, or for a step that led nowhere.
// Reads the words from the stack again. They can be read, since the step has just read them.
struct saved_word *saved_word_note_other(struct saved_word *words,
	const struct unwind *from, const struct unwind_step *step, bool needs_fp);

// Returns a word at rule_ra_offset(0) from sp, with the return address. saved_word_by_rule() moves this
// word to the rule's place. On aarch64 the word there is read again, since it may have a signature.
static inline struct saved_word
saved_word_ra(uintptr_t sp, uintptr_t pc)
{
	return (struct saved_word){sp + (uintptr_t)rule_ra_offset(0), pc};
}

static inline struct saved_word
saved_word_by_rule(struct saved_word ra, uint64_t rule)
{
	uintptr_t at = ra.at + (uintptr_t)(rule_ra_offset(rule) - rule_ra_offset(0));
	return (struct saved_word){at, REGISTERS_SIGN_CODE ? saved_word_now(at) : ra.value};
}

// Appends the words that a step read, and returns their end. `to` is the frame to which the step
// led. If the step led nowhere, to->sp is UINTPTR_MAX. `needs_fp` is true if the steps from `to`
// outwards depend on fp.
//
// Words are compared from the last one to the first. If a word's address was computed from another
// word, that other word is stored later. So it is compared first.
static inline struct saved_word *
saved_word_note(struct saved_word *words, const struct unwind *from,
	const struct unwind_step *step, const struct unwind *to, bool needs_fp)
{
	uint64_t rule = step->rule;

	if (__builtin_expect(to->sp == UINTPTR_MAX || !rule_is_plain(rule), 0))
		return saved_word_note_other(words, from, step, needs_fp);
	// The word that has the saved fp is written in any case, without a branch. If it is not needed,
	// the next word overwrites it.
	*words = (struct saved_word){to->sp + (uintptr_t)rule_fp_offset(rule), to->fp};
	words += needs_fp & rule_saves_fp(rule);
	*words++ = saved_word_by_rule(saved_word_ra(to->sp, to->pc), rule);
	return words;
}

#endif
