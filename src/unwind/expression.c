// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>

#include "unwind/dwarf.h"
#include "unwind/expression.h"
#include "unwind/processor.h"

enum {
	STACK_MAX = 8,
	// Operations (DWARF 5, table 7.9):
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_GE = 0x2a,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	FP = REGISTER_FP,
	SP = REGISTER_SP,
	PC = REGISTER_PC,
};

static const struct value unknown = {VALUE_UNKNOWN, 0};

static struct value
number(int64_t offset)
{
	return (struct value){VALUE_NUMBER, offset};
}

static struct value
register_plus(unsigned which, int64_t offset, uintptr_t address)
{
	if (which == SP)
		return (struct value){VALUE_SP, offset};
	if (which == FP)
		return (struct value){VALUE_FP, offset};
	if (which == PC)
		return number((int64_t)((uint64_t)address + (uint64_t)offset));
	return unknown;
}

static struct value
sum(struct value a, struct value b)
{
	if (a.base == VALUE_NUMBER) {
		struct value kept = a;
		a = b;
		b = kept;
	}
	if (a.base == VALUE_UNKNOWN || b.base != VALUE_NUMBER || a.base == VALUE_AT_FP)
		return unknown;
	a.offset = (int64_t)((uint64_t)a.offset + (uint64_t)b.offset);
	return a;
}

// Applies an operation to two values of the stack; `a` was pushed before `b`.
static struct value
binary(unsigned operation, struct value a, struct value b)
{
	if (operation == OP_PLUS)
		return sum(a, b);
	if (b.base != VALUE_NUMBER)
		return unknown;
	if (operation == OP_MINUS)
		return sum(a, number((int64_t)-(uint64_t)b.offset));
	if (a.base != VALUE_NUMBER)
		return unknown;
	if (operation == OP_AND)
		return number(a.offset & b.offset);
	if (operation == OP_GE)
		return number(a.offset >= b.offset);
	// The operation is OP_SHL.
	return b.offset < 0 || b.offset > 63 ? unknown
					     : number((int64_t)((uint64_t)a.offset << b.offset));
}

static bool
is_binary(unsigned operation)
{
	return operation == OP_PLUS || operation == OP_MINUS || operation == OP_AND
		|| operation == OP_GE || operation == OP_SHL;
}

// Returns the value that an operation pushes, for an operation that pops no value. Returns
// `unknown` for all other operations.
static struct value
pushed(unsigned operation, struct dwarf_bytes *bytes, uintptr_t address)
{
	if (operation >= OP_LIT0 && operation <= OP_LIT31)
		return number(operation - OP_LIT0);
	if (operation >= OP_BREG0 && operation <= OP_BREG31)
		return register_plus(operation - OP_BREG0, dwarf_sleb(bytes), address);
	if (operation == OP_CONST1U)
		return number((int64_t)dwarf_fixed(bytes, 1));
	if (operation == OP_CONST1S)
		return number((int8_t)dwarf_fixed(bytes, 1));
	return unknown;
}

struct value
expression_value(struct dwarf_bytes bytes, uintptr_t address, struct value start)
{
	struct value stack[STACK_MAX];
	unsigned depth = 0;

	if (start.base != VALUE_UNKNOWN)
		stack[depth++] = start;
	while (bytes.at && bytes.at < bytes.end) {
		unsigned operation = *bytes.at++;
		struct value value;

		if (is_binary(operation) && depth >= 2) {
			depth -= 2;
			value = binary(operation, stack[depth], stack[depth + 1]);
		} else if (operation == OP_PLUS_UCONST && depth >= 1) {
			value = sum(stack[--depth], number((int64_t)dwarf_uleb(&bytes)));
		} else if (operation == OP_DEREF && depth >= 1 && stack[depth - 1].base == VALUE_FP) {
			value = (struct value){VALUE_AT_FP, stack[--depth].offset};
		} else {
			value = pushed(operation, &bytes, address);
		}
		if (value.base == VALUE_UNKNOWN || depth == STACK_MAX)
			return unknown;
		stack[depth++] = value;
	}
	return bytes.at && depth > 0 ? stack[depth - 1] : unknown;
}
