// SPDX-License-Identifier: BSD-2-Clause
// rule_word: what a rule's word holds on aarch64 (rule.h).
//
// Who may call: a thread that holds the guard, in a walk. The functions of code without call frame
// information ask the kernel whether the code can be read.
//
//	RULE_SP, RULE_FP  ra' = *(cfa + c)
//	RULE_IN_LR        cfa = sp + a, and ra' = x30. The frame is one that a signal interrupted.
//
// c differs from function to function: a frame record, x29 and x30, may lie anywhere in a frame.

#ifndef PMEM_RULE_WORD_H
#define PMEM_RULE_WORD_H

#include <stdbool.h>
#include <stdint.h>

struct cfa_row;

#define RULE_IN_LR RULE_SPECIAL
enum {
	RULE_WORD_HAS_AT_FP = 0,
	RULE_WORD_HAS_RA = 1, // rule_ra_offset() differs from rule to rule
};

// Bits of a rule: 0-2 kind, 3 whether fp is saved, 4 salted, 5 easy, 6 by bytes, 7 loop, 8-15 b - c, 16-37
// a + c, 38-63 a. a, b and c are multiples of 8, and stored as such. In a large frame a + c is small.
// Compilers put the record near the register that the cfa is relative to. If fp is not saved, b is c. So a
// step can read the word at cfa + b without asking whether fp is saved.
static inline intptr_t
rule_cfa_offset(uint64_t rule)
{
	return ((int64_t)rule >> 38) * 8;
}

// Returns the offset from the cfa to the word with the return address.
static inline intptr_t
rule_ra_offset(uint64_t rule)
{
	return ((int64_t)(rule << 26) >> 42) * 8 - rule_cfa_offset(rule);
}

static inline intptr_t
rule_fp_offset(uint64_t rule)
{
	return rule_ra_offset(rule) + (int8_t)(rule >> 8) * 8;
}

// Makes a rule from a row of call frame information. Returns RULE_NONE if a word cannot hold the rule.
uint64_t rule_word_by_row(const struct cfa_row *row);

// Makes a rule for code without call frame information. It is RULE_SIGNAL for the code to which a
// signal handler returns, and RULE_GUESS for all other code.
uint64_t rule_word_in_object(uintptr_t pc);

static inline uint64_t
rule_word_outside(uintptr_t pc)
{
	return rule_word_in_object(pc);
}

// Does the same in a process of musl's. All other code ends a stack.
uint64_t rule_word_on_musl(uintptr_t pc, bool *is_busy);

// Called in a fork's child.
static inline void
rule_word_fork(void)
{
}

#endif
