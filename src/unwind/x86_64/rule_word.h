// SPDX-License-Identifier: BSD-2-Clause
// rule_word: what a rule's word holds on x86-64 (rule.h).
//
// Who may call: a thread that holds the guard, in a walk. rule_word_outside() and rule_word_on_musl()
// may ask the kernel whether code can be read.
//
// The return address is the word below the cfa.
//
//	RULE_AT_FP  cfa = *(fp + a), in a function that realigned its stack. A saved fp is at fp + b.

#ifndef PMEM_RULE_WORD_H
#define PMEM_RULE_WORD_H

#include <stdbool.h>
#include <stdint.h>

struct cfa_row;

#define RULE_AT_FP RULE_SPECIAL
enum {
	RULE_WORD_HAS_AT_FP = 1,
	RULE_WORD_HAS_RA = 0, // rule_ra_offset() is always the same
};

// Bits of a rule: 0-2 kind, 3 whether fp is saved, 4 salted, 5 easy, 6 by bytes, 7 loop, 8-31 b,
// 32-63 a. In RULE_SP and RULE_FP, b is a multiple of 8. If fp is not saved, b is -8. So a step can
// read the word at cfa + b without asking whether fp is saved.
static inline intptr_t
rule_cfa_offset(uint64_t rule)
{
	return (int32_t)(rule >> 32);
}

static inline intptr_t
rule_fp_offset(uint64_t rule)
{
	return (int32_t)(uint32_t)rule >> 8;
}

// Returns the offset from the cfa to the word with the return address.
static inline intptr_t
rule_ra_offset(uint64_t rule)
{
	(void)rule;
	return -8;
}

// Makes a rule from a row of call frame information. Returns RULE_NONE if a word cannot hold the rule.
uint64_t rule_word_by_row(const struct cfa_row *row);

// Makes a rule for code outside all objects, from the code's bytes.
uint64_t rule_word_outside(uintptr_t pc);

// Makes a rule for code of an object without call frame information.
uint64_t rule_word_in_object(uintptr_t pc);

// Does the same in a process of musl's. Sets `is_busy` if another thread searches: the rule is then not
// to be kept.
uint64_t rule_word_on_musl(uintptr_t pc, bool *is_busy);

// Called in a fork's child.
void rule_word_fork(void);

#endif
