// SPDX-License-Identifier: BSD-2-Clause
// piece: the pieces of code of which a perf map has told (codeline.h), by address.
//
// Who may call: the one thread that writes a snapshot. Never allocates but by growing its table.
// Where there is no room a piece is forgotten, and so is what it lay on: never is a place taken for
// one in a piece that is no longer there.

#ifndef PMEM_PIECE_H
#define PMEM_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/table.h"
#include "base/codeline.h"

_Static_assert(PMEM_CODE >= 1024 && PMEM_CODE <= 1 << 24,
	"PMEM_CODE must be from 1024 to 16777216 pieces of code");

// The most memory that they take.
#define PIECE_BYTES_MAX TABLE_GROWING_MAX((uint64_t)PMEM_CODE * 24)

struct piece {
	uint64_t start; // first, as its key
	uint32_t bytes : 31;
	uint32_t is_entry : 1; // a copy of V8's (v8_entry.h)
	uint32_t function; // a hash of its name: of equal ones the function is one
	uint64_t at; // its line in the map
};

uint32_t piece_function(const struct codeline *told);

// What a line tells, behind those before it. Is found from piece_settle() on.
struct piece piece_take(const struct codeline *told);
void piece_settle(void);

// Whether a call from it may have come back to pc, which is in it.
bool piece_may_call(const struct piece *piece, uintptr_t pc);

// The last piece that the map told of where the call before pc is. NULL: there is none.
const struct piece *piece_find(uintptr_t pc);

// A hash of the code around a return address, but for where its calls lead; 0: it cannot be read.
// Another thread may take it away at any moment: the kernel reads it.
uint64_t piece_code_around(uint64_t pc);

// Forgets all.
void piece_forget(void);

#endif
