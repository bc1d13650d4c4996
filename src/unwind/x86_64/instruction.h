// SPDX-License-Identifier: BSD-2-Clause
// instruction: reads one x86-64 instruction, as far as it concerns a function's frame.
//
// Who may call: anyone, at any moment. Reads only the bytes that it is given.
//
// (Intel SDM volume 2, chapter 2 and appendix A.)

#ifndef PMEM_INSTRUCTION_H
#define PMEM_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_INVALID,   // not known, or longer than the given bytes
	INSTRUCTION_OTHER,     // changes neither sp nor fp
	INSTRUCTION_SP_MOVES,  // sp += number: push, pop, add, sub, lea
	INSTRUCTION_PUSHES_FP, // sp -= 8, *sp = fp
	INSTRUCTION_POPS_FP,   // fp = *sp, sp += 8
	INSTRUCTION_STORES_FP, // *(sp + number) = fp
	INSTRUCTION_LOADS_FP,  // fp = *(sp + number)
	INSTRUCTION_FP_BY_SP,  // fp = sp
	INSTRUCTION_SP_BY_FP,  // sp = fp + number
	INSTRUCTION_LEAVES,    // sp = fp, fp = *sp, sp += 8
	INSTRUCTION_SPOILS_SP, // sp has a value that is not known
	INSTRUCTION_SPOILS_FP, // fp has a value that is not known
	INSTRUCTION_JUMPS,     // goes on at `target`
	INSTRUCTION_MAY_JUMP,  // goes on at `target`, or behind the instruction
	INSTRUCTION_JUMPS_INDIRECT, // goes on at an address that is not known
	INSTRUCTION_CALLS,     // calls `target`; 0 if it is not known
	INSTRUCTION_RETURNS,
	INSTRUCTION_STOPS,     // faults, or traps
	INSTRUCTION_NOP,      // does nothing
};

struct instruction {
	enum instruction_kind kind;
	uint8_t bytes; // its length
	int32_t number;
	uintptr_t target;
};

enum { INSTRUCTION_BYTES_MAX = 15 };

// Reads the instruction at `at`. `end` is the end of the bytes that may be read.
struct instruction instruction_read(const uint8_t *at, const uint8_t *end);

#endif
