// SPDX-License-Identifier: BSD-2-Clause

#include "unwind/saved_word.h"

struct saved_word *
saved_word_note_other(struct saved_word *words, const struct unwind *from,
	const struct unwind_step *step, bool needs_fp)
{
	uint64_t rule = step->rule;
	uintptr_t cfa = (rule_kind(rule) == RULE_SP ? from->sp : from->fp)
		+ (uintptr_t)rule_cfa_offset(rule);
	uintptr_t fp_at = cfa + (uintptr_t)rule_fp_offset(rule);
	uintptr_t read[WORDS_MAX];
	int count = 0;

	switch (rule_kind(rule)) {
	case RULE_GUESS:
		if (step->looked) {
			read[count++] = from->fp;
			read[count++] = from->fp + sizeof(from->fp);
		}
		break;
	case RULE_SIGNAL:
		read[count++] = from->sp + UNWIND_SIGNAL_PC;
		read[count++] = from->sp + UNWIND_SIGNAL_SP;
		read[count++] = from->sp + UNWIND_SIGNAL_FP;
		break;
	case RULE_SPECIAL:
		if (!RULE_WORD_HAS_AT_FP)
			break;
		read[count++] = cfa;
		cfa = saved_word_now(cfa);
		fp_at = from->fp + (uintptr_t)rule_fp_offset(rule);
		// fallthrough
	case RULE_SP:
	case RULE_FP:
		read[count++] = cfa + (uintptr_t)rule_ra_offset(rule);
		if (needs_fp && rule_saves_fp(rule))
			read[count++] = fp_at;
		break;
	default: break;
	}
	while (count-- > 0)
		*words++ = (struct saved_word){read[count], saved_word_now(read[count])};
	return words;
}
