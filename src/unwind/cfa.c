// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "unwind/dwarf.h"
#include "unwind/expression.h"
#include "unwind/cfa.h"
#include "unwind/processor.h"

enum {
	FP = REGISTER_FP,
	SP = REGISTER_SP,
	RA = REGISTER_RA,
	REMEMBERED_MAX = 8,
	// Instructions (DWARF 5, table 7.29). In the first three, the upper two bits are the
	// instruction, and the lower six bits are its operand:
	ADVANCE_LOC = 0x40,
	OFFSET = 0x80,
	RESTORE = 0xc0,
	// In all other instructions, the upper two bits are 0:
	NOP = 0x00,
	SET_LOC = 0x01,
	ADVANCE_LOC1 = 0x02,
	ADVANCE_LOC2 = 0x03,
	ADVANCE_LOC4 = 0x04,
	OFFSET_EXTENDED = 0x05,
	RESTORE_EXTENDED = 0x06,
	UNDEFINED = 0x07,
	SAME_VALUE = 0x08,
	REGISTER = 0x09,
	REMEMBER_STATE = 0x0a,
	RESTORE_STATE = 0x0b,
	DEF_CFA = 0x0c,
	DEF_CFA_REGISTER = 0x0d,
	DEF_CFA_OFFSET = 0x0e,
	DEF_CFA_EXPRESSION = 0x0f,
	EXPRESSION = 0x10,
	OFFSET_EXTENDED_SF = 0x11,
	DEF_CFA_SF = 0x12,
	DEF_CFA_OFFSET_SF = 0x13,
	VAL_OFFSET = 0x14,
	VAL_OFFSET_SF = 0x15,
	VAL_EXPRESSION = 0x16,
	GNU_ARGS_SIZE = 0x2e,
	GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

struct cfa_run {
	const struct cfa_program *program;
	struct dwarf_bytes bytes;
	uintptr_t target;
	uintptr_t location; // the first address for which the present row is valid
	struct cfa_row row;
	struct cfa_row initial; // the row after the CIE's instructions
	struct cfa_row remembered[REMEMBERED_MAX];
	unsigned remembered_count;
};

// Reads a length, and returns the block of that many bytes after the length.
static struct dwarf_bytes
take_block(struct cfa_run *run)
{
	uint64_t length = dwarf_uleb(&run->bytes);
	struct dwarf_bytes block = {NULL, NULL};
	if (!run->bytes.at || length > (uint64_t)(run->bytes.end - run->bytes.at)) {
		run->bytes.at = NULL;
		return block;
	}
	block.at = run->bytes.at;
	block.end = block.at + length;
	run->bytes.at += length;
	return block;
}

static void
set_register(struct cfa_run *run, uint64_t number, struct cfa_register how)
{
	if (number == FP)
		run->row.fp = how;
	else if (number == RA)
		run->row.ra = how;
}

// Returns an offset in bytes: the factored offset times the CIE's data alignment. The product
// overflows only in damaged data, and then wraps around.
static int64_t
aligned(const struct cfa_run *run, int64_t factored)
{
	return (int64_t)((uint64_t)factored * (uint64_t)run->program->data_align);
}

static void
set_saved(struct cfa_run *run, uint64_t number, int64_t factored)
{
	struct value at = {VALUE_CFA, aligned(run, factored)};
	set_register(run, number, (struct cfa_register){CFA_SAVED, at});
}

static void
set_cfa(struct cfa_run *run, uint64_t number, int64_t offset)
{
	enum value_base base = number == SP ? VALUE_SP : number == FP ? VALUE_FP : VALUE_UNKNOWN;
	run->row.cfa = (struct value){base, offset};
}

static void
set_cfa_register(struct cfa_run *run, uint64_t number)
{
	set_cfa(run, number, run->row.cfa.offset);
}

static void
restore(struct cfa_run *run, uint64_t number)
{
	set_register(run, number, number == FP ? run->initial.fp : run->initial.ra);
}

// Moves run->location to the first address of the next row. Returns false if that address is after
// the target: then the present row is valid for the target.
static bool
advance(struct cfa_run *run, uint64_t delta)
{
	uintptr_t next = run->location + delta * run->program->code_align;
	if (next < run->location || next > run->target)
		return false;
	run->location = next;
	return true;
}

static bool
set_location(struct cfa_run *run)
{
	// Two encodings of the operand are read: relative to its own address, and absolute. All others
	// count as damage. That is enough, since compilers do not write this instruction at all.
	uintptr_t here = (uintptr_t)run->bytes.at;
	uint8_t encoding = run->program->address_encoding;
	uintptr_t next = 0;

	if (encoding == 0x1b)
		next = here + (uintptr_t)(int64_t)(int32_t)dwarf_fixed(&run->bytes, 4);
	else if (encoding == 0)
		next = dwarf_fixed(&run->bytes, 8);
	else
		run->bytes.at = NULL;
	if (next > run->target || next < run->location)
		return false;
	run->location = next;
	return true;
}

static void
set_by_expression(struct cfa_run *run)
{
	uint64_t number = dwarf_uleb(&run->bytes);
	// The expression begins with the canonical frame address on its stack (DWARF 5, 6.4.2.3).
	struct value at = expression_value(
		take_block(run), run->target, (struct value){VALUE_CFA, 0});
	bool known = at.base == VALUE_CFA || at.base == VALUE_FP || at.base == VALUE_SP;
	set_register(run, number, (struct cfa_register){known ? CFA_SAVED : CFA_ELSEWHERE, at});
}

static void
remember(struct cfa_run *run)
{
	if (run->remembered_count == REMEMBERED_MAX)
		run->bytes.at = NULL;
	else
		run->remembered[run->remembered_count++] = run->row;
}

static void
recall(struct cfa_run *run)
{
	if (run->remembered_count == 0)
		run->bytes.at = NULL;
	else
		run->row = run->remembered[--run->remembered_count];
}

// Runs one instruction that has no operand in its first byte. Returns false if no further
// instruction is to be run.
static bool
step_extended(struct cfa_run *run, uint8_t instruction)
{
	struct dwarf_bytes *bytes = &run->bytes;
	static const struct cfa_register elsewhere = {CFA_ELSEWHERE, {VALUE_UNKNOWN, 0}};
	static const struct cfa_register undefined = {CFA_UNDEFINED, {VALUE_UNKNOWN, 0}};
	static const struct cfa_register same = {CFA_SAME, {VALUE_UNKNOWN, 0}};
	uint64_t number;

	switch (instruction) {
	case NOP: return true;
	case SET_LOC: return set_location(run);
	case ADVANCE_LOC1: return advance(run, dwarf_fixed(bytes, 1));
	case ADVANCE_LOC2: return advance(run, dwarf_fixed(bytes, 2));
	case ADVANCE_LOC4: return advance(run, dwarf_fixed(bytes, 4));
	case OFFSET_EXTENDED:
		number = dwarf_uleb(bytes);
		set_saved(run, number, (int64_t)dwarf_uleb(bytes));
		return true;
	case OFFSET_EXTENDED_SF:
		number = dwarf_uleb(bytes);
		set_saved(run, number, dwarf_sleb(bytes));
		return true;
	case GNU_NEGATIVE_OFFSET_EXTENDED:
		number = dwarf_uleb(bytes);
		set_saved(run, number, (int64_t)-dwarf_uleb(bytes));
		return true;
	case RESTORE_EXTENDED: restore(run, dwarf_uleb(bytes)); return true;
	case UNDEFINED: set_register(run, dwarf_uleb(bytes), undefined); return true;
	case SAME_VALUE: set_register(run, dwarf_uleb(bytes), same); return true;
	case REGISTER:
	case VAL_OFFSET:
		number = dwarf_uleb(bytes);
		dwarf_uleb(bytes);
		set_register(run, number, elsewhere);
		return true;
	case VAL_OFFSET_SF:
		number = dwarf_uleb(bytes);
		dwarf_sleb(bytes);
		set_register(run, number, elsewhere);
		return true;
	case VAL_EXPRESSION:
		number = dwarf_uleb(bytes);
		take_block(run);
		set_register(run, number, elsewhere);
		return true;
	case EXPRESSION: set_by_expression(run); return true;
	case REMEMBER_STATE: remember(run); return true;
	case RESTORE_STATE: recall(run); return true;
	case DEF_CFA:
		number = dwarf_uleb(bytes);
		set_cfa(run, number, (int64_t)dwarf_uleb(bytes));
		return true;
	case DEF_CFA_SF:
		number = dwarf_uleb(bytes);
		set_cfa(run, number, aligned(run, dwarf_sleb(bytes)));
		return true;
	case DEF_CFA_REGISTER: set_cfa_register(run, dwarf_uleb(bytes)); return true;
	case DEF_CFA_OFFSET: run->row.cfa.offset = (int64_t)dwarf_uleb(bytes); return true;
	case DEF_CFA_OFFSET_SF:
		run->row.cfa.offset = aligned(run, dwarf_sleb(bytes));
		return true;
	case DEF_CFA_EXPRESSION:
		run->row.cfa = expression_value(
			take_block(run), run->target, (struct value){VALUE_UNKNOWN, 0});
		return true;
	case GNU_ARGS_SIZE: dwarf_uleb(bytes); return true;
	default: bytes->at = NULL; return false;
	}
}

// Runs instructions until the row is valid for the target, or to the end. Returns false if an
// instruction is damaged or unknown.
static bool
run_bytes(struct cfa_run *run, struct dwarf_bytes bytes)
{
	run->bytes = bytes;
	while (run->bytes.at && run->bytes.at < run->bytes.end) {
		uint8_t instruction = *run->bytes.at++;
		uint8_t operand = instruction & 0x3f;
		bool more = true;

		if ((instruction & 0xc0) == ADVANCE_LOC)
			more = advance(run, operand);
		else if ((instruction & 0xc0) == OFFSET)
			set_saved(run, operand, (int64_t)dwarf_uleb(&run->bytes));
		else if ((instruction & 0xc0) == RESTORE)
			restore(run, operand);
		else if (!registers_is_signing(instruction))
			more = step_extended(run, instruction);
		if (!more)
			break;
	}
	return run->bytes.at != NULL;
}

bool
cfa_run(const struct cfa_program *program, uintptr_t address, struct cfa_row *row)
{
	struct cfa_run run = {.program = program, .target = address, .location = program->start};

	if (!run_bytes(&run, program->initial))
		return false;
	run.initial = run.row;
	if (!run_bytes(&run, program->instructions))
		return false;
	*row = run.row;
	return true;
}
