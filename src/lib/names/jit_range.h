// SPDX-License-Identifier: BSD-2-Clause
// jit_range: the ranges of code of which a perf map has told (codeline.h), by address.
//
// Who may call: the one thread that writes a snapshot. Never allocates but by growing its table.
// Where there is no room a range is forgotten, and so is what it lay on: never is a place taken for
// one in a range that is no longer there.

#ifndef PMEM_JIT_RANGE_H
#define PMEM_JIT_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"
#include "base/codeline.h"

_Static_assert(PMEM_CODE >= 1024 && PMEM_CODE <= 1 << 24,
	"PMEM_CODE must be from 1024 to 16777216 pieces of code");

// The most memory that they take.
#define JIT_RANGE_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_CODE * 24)

struct jit_range {
	uint64_t start; // first, as its key
	uint32_t bytes : 31;
	uint32_t is_entry : 1; // a copy of V8's (v8_trampoline.h)
	uint32_t function; // a hash of its name: of equal ones the function is one
	uint64_t at; // its line in the map
};

uint32_t jit_range_function(const struct codeline *told);

// What a line tells, behind those before it. Is found from jit_range_settle() on.
struct jit_range jit_range_take(const struct codeline *told);
void jit_range_settle(void);

// Whether a call from it may have come back to pc, which is in it.
bool jit_range_may_call(const struct jit_range *range, uintptr_t pc);

// The last range that the map told of where the call before pc is. NULL: there is none.
const struct jit_range *jit_range_find(uintptr_t pc);

// A hash of the code around a return address, but for where its calls lead; 0: it cannot be read.
// Another thread may take it away at any moment: the kernel reads it.
uint64_t jit_range_code_around(uint64_t pc);

// Forgets all.
void jit_range_forget(void);

#endif
