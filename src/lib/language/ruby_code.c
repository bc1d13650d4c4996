// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "language/ruby_code.h"

// x86-64: Intel SDM volume 2, chapter 2 and appendix A. YJIT keeps the address of Ruby's control
// frame in r13. The place is the frame's first word. The code saves the place by `movabs
// $PLACE,%REG; mov %REG,0x0(%r13)`. If the place fits into 32 bits, the code is `mov $PLACE,%REG32;
// mov %REG,0x0(%r13)` or `movq $PLACE,0x0(%r13)`. It fits in a program that is no PIE: its heap
// lies at low addresses.

enum {
	REX = 0x40,
	REX_W = 8,
	REX_R = 4,
	REX_B = 1,
	FRAME = 13,
	// Length of `mov %REG,0x0(%r13)`. Also of `movq $PLACE,0x0(%r13)`, if the place is not counted.
	STORE_BYTES = 4,
	CONSTANT_BYTES = 10, // length of the instruction that loads a constant of eight bytes
	INSTRUCTION_BYTES_MAX = 15,
	MODRM = 1 << 0, // a ModR/M byte follows the opcode
	// An operand of one byte follows.
	BYTE = 1 << 1,
	HALF = 1 << 2,      // an operand of four bytes follows
	WRITES_REG = 1 << 3, // the instruction writes the register in the middle of ModR/M
	WRITES_RM = 1 << 4,  // the instruction writes ModR/M's other operand, if that is a register
	IS_KNOWN = 1 << 5,
};

struct instruction {
	// Bits from MODRM to IS_KNOWN.
	unsigned how;
	size_t bytes;
	uint8_t rex;
	uint8_t opcode; // the second byte, if is_long
	bool is_long;   // the opcode has two bytes
	uint8_t modrm;
};

static unsigned
how_of(uint8_t opcode)
{
	switch (opcode) {
	// ADD, OR, AND, SUB, XOR, MOV
	case 0x01: case 0x09: case 0x21: case 0x29: case 0x31: case 0x88: case 0x89:
	// XCHG, POP, shifts, INC, DEC, CALL, PUSH
	case 0x87: case 0x8f: case 0xd1: case 0xd3: case 0xff:
		return IS_KNOWN | MODRM | WRITES_RM;
	case 0x03: case 0x0b: case 0x23: case 0x2b: case 0x33: case 0x63: case 0x8b: case 0x8d:
		return IS_KNOWN | MODRM | WRITES_REG;
	case 0x38: case 0x39: case 0x3b: case 0x84: case 0x85: // CMP, TEST
		return IS_KNOWN | MODRM;
	// Arithmetic, shifts and mov, with an operand of one byte.
	case 0x80: case 0x83: case 0xc1: case 0xc6:
		return IS_KNOWN | MODRM | WRITES_RM | BYTE;
	case 0x81: case 0xc7:
		return IS_KNOWN | MODRM | WRITES_RM | HALF;
	case 0xe8: return IS_KNOWN | HALF;
	case 0x90: return IS_KNOWN;
	default: break;
	}
	if (opcode >= 0x50 && opcode <= 0x5f) // PUSH, POP
		return IS_KNOWN;
	if (opcode >= 0x70 && opcode <= 0x7f) // jumps on a condition
		return IS_KNOWN | BYTE;
	return opcode >= 0xb8 && opcode <= 0xbf ? IS_KNOWN | HALF : 0;
}

static unsigned
how_of_long(uint8_t opcode)
{
	if (opcode >= 0x80 && opcode <= 0x8f)
		return IS_KNOWN | HALF;
	if ((opcode >= 0x40 && opcode <= 0x4f) || opcode == 0xaf || opcode == 0xb6 || opcode == 0xb7
		|| opcode == 0xbe || opcode == 0xbf)
		return IS_KNOWN | MODRM | WRITES_REG;
	return opcode == 0x1f || (opcode >= 0x90 && opcode <= 0x9f) ? IS_KNOWN | MODRM : 0;
}

// Returns how many bytes ModR/M, SIB and displacement take together.
static size_t
address_bytes(uint8_t modrm, uint8_t sib)
{
	unsigned mode = modrm >> 6;
	bool has_sib = mode != 3 && (modrm & 7) == 4;
	bool is_far = mode == 2 || (mode == 0 && ((modrm & 7) == 5 || (has_sib && (sib & 7) == 5)));

	return 1 + (has_sib ? 1 : 0) + (mode == 1 ? 1 : is_far ? 4 : 0);
}

// Decodes the instruction at `from`. Returns false if this file does not know the instruction.
static bool
read_instruction(const uint8_t *from, const uint8_t *end, struct instruction *is)
{
	uint8_t bytes[INSTRUCTION_BYTES_MAX] = {0};
	const uint8_t *at = bytes;

	memcpy(bytes, from, end - from < INSTRUCTION_BYTES_MAX ? (size_t)(end - from) : sizeof(bytes));
	is->rex = (*at & 0xf0) == REX ? *at++ : 0;
	is->is_long = *at == 0x0f;
	at += is->is_long;
	is->opcode = *at++;
	is->how = is->is_long ? how_of_long(is->opcode) : how_of(is->opcode);
	is->modrm = is->how & MODRM ? *at : 0;
	if (is->how & MODRM)
		at += address_bytes(at[0], at[1]);
	bool is_wide = !is->is_long && (is->opcode & 0xf8) == 0xb8 && is->rex & REX_W;
	at += (is->how & BYTE ? 1 : 0) + (is->how & HALF ? 4 : 0) + (is_wide ? 4 : 0);
	is->bytes = (size_t)(at - bytes);
	return is->how & IS_KNOWN;
}

// Returns the register that the instruction writes, or -1.
static int
written(const struct instruction *is)
{
	if (!is->is_long && ((is->opcode & 0xf8) == 0xb8 || (is->opcode & 0xf8) == 0x58))
		return (is->opcode & 7) | (is->rex & REX_B ? 8 : 0);
	if (is->how & WRITES_REG)
		return (is->modrm >> 3 & 7) | (is->rex & REX_R ? 8 : 0);
	if (is->how & WRITES_RM && is->modrm >> 6 == 3)
		return (is->modrm & 7) | (is->rex & REX_B ? 8 : 0);
	return -1;
}

static bool
is_call(const struct instruction *is)
{
	return !is->is_long && (is->opcode == 0xe8 || (is->opcode == 0xff && (is->modrm >> 3 & 7) == 2));
}

static uintptr_t
word(const uint8_t *at)
{
	uintptr_t word;
	memcpy(&word, at, sizeof(word));
	return word;
}

static uint32_t
half(const uint8_t *at)
{
	uint32_t half;
	memcpy(&half, at, sizeof(half));
	return half;
}

// Returns the constant that the instruction right before `end` loads into this register, or 0 if it
// loads no constant.
static uintptr_t
loaded(const uint8_t *bytes, const uint8_t *end, unsigned reg)
{
	const uint8_t opcode = 0xb8 | (reg & 7);
	const uint8_t rex_b = reg & 8 ? REX_B : 0;

	if (end - bytes >= CONSTANT_BYTES && end[-9] == opcode && end[-10] == (REX | REX_W | rex_b))
		return word(end - sizeof(uintptr_t));
	if (end - bytes >= 5 + !!rex_b && end[-5] == opcode && (!rex_b || end[-6] == (REX | rex_b)))
		return half(end - sizeof(uint32_t));
	return 0;
}

struct save {
	uintptr_t place; // the saved place; 0 if no constant is saved
	size_t bytes;
};

// Returns true, and sets `save`, if the instruction at `at` writes the frame's first word, which is
// the place.
static bool
is_save(const uint8_t *bytes, const uint8_t *at, struct save *save)
{
	uint8_t reg = (at[2] >> 3 & 7) | (at[0] & REX_R ? 8 : 0);

	if ((at[0] & ~REX_R) != (REX | REX_W | REX_B) || (at[2] & 0xc7) != 0x45 || at[3] != 0)
		return false;
	if (at[1] == 0x89)
		*save = (struct save){loaded(bytes, at, reg), STORE_BYTES};
	else
		*save = (struct save){
			(uintptr_t)(intptr_t)(int32_t)half(at + STORE_BYTES), STORE_BYTES + sizeof(uint32_t)};
	return at[1] == 0x89 || (at[1] == 0xc7 && reg == 0);
}

// Decodes the instructions from `at` to `end`. The instruction right before `at` stores a place in
// the frame. Returns false if the last instruction is not a call, or does not end at `end`. Also
// returns false if an instruction is not known, or changes the register that has the frame's
// address.
static bool
lead(const uint8_t *at, const uint8_t *end, struct ruby_code *code)
{
	struct instruction is;
	uintptr_t constant = 0; // the last constant that was loaded

	while (at < end) {
		if (!read_instruction(at, end, &is) || is.bytes > (size_t)(end - at) || written(&is) == FRAME)
			return false;
		at += is.bytes;
		if (is.bytes == CONSTANT_BYTES)
			constant = word(at - sizeof(constant));
		else if (!is.is_long && (is.opcode & 0xf8) == 0xb8)
			constant = half(at - sizeof(uint32_t));
		if (is_call(&is)) {
			int32_t distance;
			memcpy(&distance, at - sizeof(distance), sizeof(distance));
			code->called = is.opcode == 0xe8 ? (uintptr_t)at + (uintptr_t)(intptr_t)distance : constant;
			code->calls++;
		}
	}
	return code->calls > 0 && is_call(&is);
}

struct ruby_code
ruby_code_read(const uint8_t *bytes, const uint8_t *end)
{
	struct ruby_code code = {0};

	// After the store there must be room for a call. Its target alone has four bytes.
	for (const uint8_t *at = end - STORE_BYTES - sizeof(uint32_t); at >= bytes; at--) {
		struct save save;
		if (!is_save(bytes, at, &save))
			continue;
		if (lead(at + save.bytes, end, &code))
			code.saved = save.place;
		break;
	}
	return code;
}
