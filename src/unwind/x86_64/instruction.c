// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "unwind/x86_64/instruction.h"

enum {
	SP = 4, // numbers of registers
	FP = 5,
};

// An instruction's bytes, as they are read.
struct reader {
	const uint8_t *at;
	const uint8_t *end; // the end of what may be read
	bool failed;
	bool has_66; // the prefix of 16-bit operands
	bool has_rep; // F2 or F3, in a VEX prefix, too
	unsigned rex; // the bits W, R, X and B of a REX or VEX prefix
	unsigned map; // 0 for one-byte opcodes, 1 for 0F, 2 for 0F 38, 3 for 0F 3A
	bool is_vex;
	uint8_t opcode;
	// ModR/M: the fields, with the bits of the prefix. `rm` is valid for a register operand alone.
	bool has_modrm;
	unsigned mode, reg, rm;
	bool by_sp, by_fp; // the memory operand is *(sp + number), or *(fp + number)
	int32_t number;
};

enum { REX_W = 8, REX_R = 4, REX_B = 1 };

static uint8_t
next_byte(struct reader *reader)
{
	if (reader->at >= reader->end) {
		reader->failed = true;
		return 0;
	}
	return *reader->at++;
}

// Reads a signed number of 1, 2, 4 or 8 bytes. Of the last kind only the lower half is returned.
static int32_t
next_number(struct reader *reader, unsigned bytes)
{
	uint32_t low = 0;

	for (unsigned i = 0; i < bytes; i++) {
		uint32_t byte = next_byte(reader);
		if (i < 4)
			low |= byte << 8 * i;
	}
	return bytes == 1 ? (int8_t)low : bytes == 2 ? (int16_t)low : (int32_t)low;
}

static void
read_vex(struct reader *reader, uint8_t first)
{
	uint8_t byte = next_byte(reader);

	reader->is_vex = true;
	reader->rex = (byte & 0x80 ? 0 : REX_R);
	reader->map = 1;
	if (first != 0xc5) {
		reader->rex |= byte & 0x20 ? 0 : REX_B;
		reader->map = byte & (first == 0x62 ? 3 : 31);
		byte = next_byte(reader);
	}
	reader->has_rep = byte & 2;
	if (first == 0x62)
		next_byte(reader);
	reader->opcode = next_byte(reader);
	if (reader->map == 0 || reader->map > 3)
		reader->failed = true;
}

// Reads all prefixes and the opcode.
static void
read_opcode(struct reader *reader)
{
	uint8_t byte = next_byte(reader);

	while (byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0
		|| (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65) {
		reader->has_66 = reader->has_66 || byte == 0x66;
		reader->has_rep = reader->has_rep || byte == 0xf2 || byte == 0xf3;
		byte = next_byte(reader);
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
		read_vex(reader, byte);
		return;
	}
	if ((byte & 0xf0) == 0x40) {
		reader->rex = byte & 15;
		byte = next_byte(reader);
	}
	if (byte == 0x0f) {
		reader->map = 1;
		byte = next_byte(reader);
		if (byte == 0x38 || byte == 0x3a) {
			reader->map = byte == 0x38 ? 2 : 3;
			byte = next_byte(reader);
		}
	}
	reader->opcode = byte;
}

static bool
has_modrm(const struct reader *reader)
{
	uint8_t op = reader->opcode;

	if (reader->map >= 2)
		return true;
	if (reader->map == 1)
		return reader->is_vex ? op != 0x77
			: !((op >= 0x05 && op <= 0x0b) || op == 0x0e || (op >= 0x30 && op <= 0x37)
				|| op == 0x77 || (op & 0xf0) == 0x80 || (op & 0xf6) == 0xa0
				|| op == 0xa2 || op == 0xaa || (op & 0xf8) == 0xc8);
	return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b
		|| (op >= 0x80 && op <= 0x8f) || (op & 0xfe) == 0xc0 || (op & 0xfe) == 0xc6
		|| (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || (op & 0xf6) == 0xf6;
}

static void
read_modrm(struct reader *reader)
{
	uint8_t byte = next_byte(reader);
	unsigned base = byte & 7;
	bool has_index = false;

	reader->has_modrm = true;
	reader->mode = byte >> 6;
	reader->reg = (byte >> 3 & 7) | (reader->rex & REX_R ? 8 : 0);
	reader->rm = base | (reader->rex & REX_B ? 8 : 0);
	if (reader->mode == 3)
		return;
	if (base == SP) {
		uint8_t sib = next_byte(reader);
		base = sib & 7;
		has_index = (sib >> 3 & 7) != 4 || reader->rex & 2;
	}
	if (reader->mode == 1 || reader->mode == 2 || base == FP)
		reader->number = next_number(reader, reader->mode == 1 ? 1 : 4);
	bool is_plain = !has_index && !(reader->rex & REX_B);
	reader->by_sp = is_plain && base == SP;
	reader->by_fp = is_plain && base == FP && reader->mode != 0 && (byte & 7) == FP;
}

// Returns how many bytes of an immediate operand follow.
static unsigned
bytes_of_immediate(const struct reader *reader)
{
	uint8_t op = reader->opcode;
	unsigned word = reader->has_66 && !(reader->rex & REX_W) ? 2 : 4;

	if (reader->map == 3)
		return 1;
	if (reader->map == 2)
		return 0;
	if (reader->map == 1)
		return (op & 0xfc) == 0x70 || op == 0xa4 || op == 0xac || op == 0xba || op == 0xc2
				|| (op >= 0xc4 && op <= 0xc6)
			? 1 : !reader->is_vex && (op & 0xf0) == 0x80 ? 4 : 0;
	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? word : 0;
	if (op >= 0xb8 && op <= 0xbf)
		return reader->rex & REX_W ? 8 : word;
	switch (op) {
	case 0x68: case 0x69: case 0x81: case 0xa9: case 0xc7: return word;
	case 0xe8: case 0xe9: return 4;
	case 0xa0: case 0xa1: case 0xa2: case 0xa3: return 8;
	case 0xc2: case 0xca: return 2;
	case 0xc8: return 3;
	case 0xf6: return (reader->reg & 7) < 2 ? 1 : 0;
	case 0xf7: return (reader->reg & 7) < 2 ? word : 0;
	}
	return op == 0x6a || op == 0x6b || (op & 0xf0) == 0x70 || op == 0x80 || op == 0x83 || op == 0xa8
		|| (op >= 0xb0 && op <= 0xb7) || (op & 0xfe) == 0xc0 || op == 0xc6 || op == 0xcd
		|| (op >= 0xe0 && op <= 0xe7) || op == 0xeb;
}

static bool
is_invalid(const struct reader *reader)
{
	uint8_t op = reader->opcode;

	if (reader->failed)
		return true;
	if (reader->map == 1)
		return op == 0x04 || op == 0x0a || op == 0x0c || op == 0x0f;
	if (reader->map != 0)
		return false;
	// Far calls and jumps, and what is no instruction in 64-bit code.
	return (op < 0x40 && (op & 7) >= 6) || op == 0x60 || op == 0x61 || op == 0x82 || op == 0x9a
		|| op == 0xce || (op >= 0xd4 && op <= 0xd6) || op == 0xea || op == 0xf1
		|| (reader->has_66 && (op == 0xe8 || op == 0xe9));
}

// Returns the general register that an instruction with ModR/M writes to; -1 if it writes to none.
static int
written_register(const struct reader *reader)
{
	uint8_t op = reader->opcode;
	int rm = reader->mode == 3 ? (int)reader->rm : -1;
	int digit = reader->reg & 7;

	if (reader->map == 1)
		return (op & 0xf0) == 0x40 || op == 0xaf || op == 0xb2 || (op >= 0xb4 && op <= 0xb8)
				|| (op >= 0xbc && op <= 0xbf) || (op & 0xfe) == 0x2c || op == 0x50 || op == 0xc5
				|| op == 0xd7 || (op & 0xfe) == 0x02
			? (int)reader->reg
			: (op & 0xf6) == 0xa4 || (op & 0xe7) == 0xa3 || op == 0xba || (op & 0xf0) == 0x90
				|| (op == 0x7e && !reader->has_rep) || (op & 0xfe) == 0xb0 || (op & 0xfe) == 0xc0
				|| op == 0xc7 || (op == 0xae && reader->has_rep)
			? rm : -1;
	if (reader->map == 2)
		return (op & 0xfe) == 0xf0 || op == 0xf6 ? (int)reader->reg : -1;
	if (reader->map == 3)
		return op >= 0x14 && op <= 0x17 ? rm : -1;
	if (op == 0x84 || op == 0x85 || (op >= 0x38 && op <= 0x3b) || op >= 0xd8)
		return op >= 0xf6 && !(op < 0xf8 && digit < 2) && digit < 4 ? rm : -1;
	if (op < 0x40)
		return op & 2 ? (int)reader->reg : rm;
	if (op == 0x63 || op == 0x69 || op == 0x6b || op == 0x8a || op == 0x8b || op == 0x8d)
		return (int)reader->reg;
	return (op == 0x80 || op == 0x81 || op == 0x83) && digit == 7 ? -1 : rm;
}

// Returns the kind of an instruction that concerns sp or fp by its ModR/M byte.
static enum instruction_kind
kind_by_modrm(const struct reader *reader, int32_t immediate, int32_t *number)
{
	uint8_t op = reader->opcode;
	unsigned digit = reader->reg & 7;
	bool wide = reader->map == 0 && reader->rex & REX_W;
	bool is_byte = reader->map == 0 ? !(op & 1) && op != 0x8c
		: reader->map == 1 && ((op & 0xf0) == 0x90 || op == 0xb0 || op == 0xc0);

	*number = reader->number;
	if (wide && op == 0x8d && reader->reg == SP && (reader->by_sp || reader->by_fp))
		return reader->by_sp ? INSTRUCTION_SP_MOVES : INSTRUCTION_SP_BY_FP;
	if (wide && (op == 0x89 || op == 0x8b) && reader->mode == 3) {
		unsigned to = op == 0x89 ? reader->rm : reader->reg;
		unsigned from = op == 0x89 ? reader->reg : reader->rm;
		*number = 0;
		if (to == SP && from == FP)
			return INSTRUCTION_SP_BY_FP;
		if (to == FP && from == SP)
			return INSTRUCTION_FP_BY_SP;
	}
	if (wide && reader->reg == FP && reader->by_sp && (op == 0x89 || op == 0x8b))
		return op == 0x89 ? INSTRUCTION_STORES_FP : INSTRUCTION_LOADS_FP;
	if (wide && (op == 0x81 || op == 0x83) && reader->mode == 3 && reader->rm == SP
		&& (digit == 0 || digit == 5)) {
		*number = digit == 0 ? immediate : -immediate;
		return INSTRUCTION_SP_MOVES;
	}
	if (reader->map == 0 && ((op == 0xff && digit == 6) || op == 0x8f)) {
		*number = op == 0xff ? -8 : 8;
		return reader->mode == 3 && op == 0x8f ? INSTRUCTION_INVALID : INSTRUCTION_SP_MOVES;
	}
	// An exchange writes to both registers, and so does xadd.
	int written = written_register(reader);
	bool exchanges = (op & 0xfe) == (reader->map == 0 ? 0x86 : 0xc0) && reader->map < 2;
	if (written == SP || (exchanges && reader->reg == SP))
		return is_byte ? INSTRUCTION_OTHER : INSTRUCTION_SPOILS_SP;
	return written == FP || (exchanges && reader->reg == FP) ? INSTRUCTION_SPOILS_FP
								  : INSTRUCTION_OTHER;
}

// Returns the kind of an instruction of the one-byte map without ModR/M, or of one that leads
// elsewhere.
static enum instruction_kind
kind_by_opcode(const struct reader *reader, int32_t *number)
{
	uint8_t op = reader->opcode;
	unsigned of = (op & 7) | (reader->rex & REX_B ? 8 : 0);
	unsigned digit = reader->reg & 7;

	*number = op == 0x50 + (op & 7) || op == 0x68 || op == 0x6a || op == 0x9c ? -8 : 8;
	if ((op & 0xf0) == 0x50)
		return reader->has_66 ? INSTRUCTION_INVALID
			: of == SP ? (op < 0x58 ? INSTRUCTION_SP_MOVES : INSTRUCTION_SPOILS_SP)
			: of != FP ? INSTRUCTION_SP_MOVES
			: op < 0x58 ? INSTRUCTION_PUSHES_FP : INSTRUCTION_POPS_FP;
	if ((op & 0xf8) == 0xb8 || ((op & 0xf8) == 0x90 && of != 0))
		return of == SP ? INSTRUCTION_SPOILS_SP : of == FP ? INSTRUCTION_SPOILS_FP
			: INSTRUCTION_OTHER;
	if ((op & 0xf0) == 0x70 || (op >= 0xe0 && op <= 0xe3))
		return INSTRUCTION_MAY_JUMP;
	switch (op) {
	case 0x68: case 0x6a: case 0x9c: case 0x9d: return INSTRUCTION_SP_MOVES;
	case 0x90: return INSTRUCTION_NOP;
	case 0xc8: return INSTRUCTION_SPOILS_SP;
	case 0xc9: return INSTRUCTION_LEAVES;
	case 0xc2: return INSTRUCTION_INVALID;
	case 0xc3: return INSTRUCTION_RETURNS;
	case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xcf: case 0xf4: return INSTRUCTION_STOPS;
	case 0xe8: return INSTRUCTION_CALLS;
	case 0xe9: case 0xeb: return INSTRUCTION_JUMPS;
	case 0xff:
		return digit == 2 ? INSTRUCTION_CALLS : digit == 4 ? INSTRUCTION_JUMPS_INDIRECT
			: INSTRUCTION_STOPS;
	}
	return INSTRUCTION_OTHER;
}

// Whether an instruction with a VEX prefix may write fp. Groups f3 and f6 of maps 2 and 3 name a
// register in the prefix, which is not read. So any of these may write fp.
static bool
vex_may_write_fp(const struct reader *reader)
{
	uint8_t op = reader->opcode;
	bool is_by_rm = reader->map == 1 ? op == 0x7e && !reader->has_rep
		: reader->map == 3 && op >= 0x14 && op <= 0x17;
	bool is_by_reg = reader->map == 1
		? (op & 0xfe) == 0x2c || op == 0x50 || ((op & 0xfe) == 0x78 && reader->has_rep)
			|| op == 0x93 || op == 0xc5 || op == 0xd7
		: (op & 0xf0) == 0xf0;

	if (is_by_rm)
		return reader->mode == 3 && reader->rm == FP;
	return is_by_reg && (reader->reg == FP || op == 0xf3 || op == 0xf6);
}

static enum instruction_kind
kind_of(const struct reader *reader, int32_t immediate, int32_t *number)
{
	uint8_t op = reader->opcode;
	unsigned digit = reader->reg & 7;

	if (reader->is_vex)
		return vex_may_write_fp(reader) ? INSTRUCTION_SPOILS_FP : INSTRUCTION_OTHER;
	if (reader->map == 1 && !reader->has_modrm)
		return (op & 0xf0) == 0x80 ? INSTRUCTION_MAY_JUMP : op == 0x0b ? INSTRUCTION_STOPS
			: (op & 0xf8) != 0xc8 || reader->rex & REX_B ? INSTRUCTION_OTHER
			: (op & 7) == SP ? INSTRUCTION_SPOILS_SP
			: (op & 7) == FP ? INSTRUCTION_SPOILS_FP : INSTRUCTION_OTHER;
	// nop with an operand; endbr64 is another.
	if (reader->map == 1 && op == 0x1f)
		return INSTRUCTION_NOP;
	// ud1, by which clang traps.
	if (reader->map == 1 && op == 0xb9)
		return INSTRUCTION_STOPS;
	if (reader->map == 0 && op == 0xff && digit >= 2 && digit != 6)
		return kind_by_opcode(reader, number);
	return reader->has_modrm ? kind_by_modrm(reader, immediate, number)
				 : kind_by_opcode(reader, number);
}

struct instruction
instruction_read(const uint8_t *at, const uint8_t *end)
{
	struct instruction read = {.kind = INSTRUCTION_INVALID};
	size_t room = (size_t)(end - at);
	struct reader reader = {.at = at,
		.end = room < INSTRUCTION_BYTES_MAX ? end : at + INSTRUCTION_BYTES_MAX};

	read_opcode(&reader);
	if (!reader.failed && has_modrm(&reader))
		read_modrm(&reader);
	int32_t immediate = next_number(&reader, bytes_of_immediate(&reader));
	if (is_invalid(&reader))
		return read;
	read.kind = kind_of(&reader, immediate, &read.number);
	read.bytes = (uint8_t)(reader.at - at);
	bool is_near = read.kind == INSTRUCTION_JUMPS || read.kind == INSTRUCTION_MAY_JUMP
		|| (read.kind == INSTRUCTION_CALLS && reader.opcode == 0xe8);
	if (is_near)
		read.target = (uintptr_t)reader.at + (uintptr_t)(intptr_t)immediate;
	return read;
}
