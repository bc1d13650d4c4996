// SPDX-License-Identifier: BSD-2-Clause
// expression: evaluates the few DWARF expressions that call frame information has in practice.
//
// Who may call: anyone, at any moment. Never allocates, never blocks, no state. (DWARF 5,
// section 2.5.)
//
// Linkers write an expression for the PLT, where the stack's depth depends on the address.
// Compilers write an expression for a function that realigns its stack. The canonical frame address
// is then a word in memory.

#ifndef PMEM_EXPRESSION_H
#define PMEM_EXPRESSION_H

#include <stdint.h>

#include "unwind/dwarf.h"

// What a value is made from, seen from inside the frame.
enum value_base {
	VALUE_UNKNOWN, // none of the kinds below: no rule can be made of the value
	VALUE_NUMBER,  // `offset` itself
	VALUE_SP,      // sp + offset
	VALUE_FP,      // fp + offset
	VALUE_CFA,     // the canonical frame address + offset
	VALUE_AT_FP,   // the word at fp + offset
};

struct value {
	enum value_base base : 8;
	int64_t offset;
} __attribute__((packed)); // packed: cfa_run() keeps thirty values on a stack that may be small

// Returns the expression's value in a frame whose pc is `address`. `start` is pushed first, unless
// its base is VALUE_UNKNOWN. Returns a value of base VALUE_UNKNOWN if the expression has an
// operation or a register that is not handled here.
struct value expression_value(
	struct dwarf_bytes expression, uintptr_t address, struct value start);

#endif
