// SPDX-License-Identifier: BSD-2-Clause
// stack_store: the frames of all stacks that are kept. What ends as one of the last few did, as most
// stacks do, keeps only what is its own, and where it goes on in the other.
//
// Who may call: see at each. Never allocates but by mapping its table as it is used, never blocks.

#ifndef PMEM_STACK_STORE_H
#define PMEM_STACK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "stacks/stack.h"
#include "base/table.h"

// A program counter and the number of the module it lies in.
struct frame {
	uint64_t pc : 48;
	uint64_t module : 16;
};

enum {
	STACK_STORE_ELSEWHERE = UINT16_MAX, // for a module: the stack goes on where pc points to
	STACK_STORE_SHIFT = TABLE_CHUNK_BITS - 3,
	// A stack's own frames lie in one chunk: as many stacks of PMEM_FRAMES as it takes count.
	STACK_STORE_STACKS_IN_CHUNK = (1 << STACK_STORE_SHIFT) / PMEM_FRAMES,
	STACK_STORE_CHUNKS = PMEM_SOURCES / STACK_STORE_STACKS_IN_CHUNK + 1,
};

// The frame that stands there: at the address that stack_store_keep() gave, and then behind each
// frame the next one, as many as the stack has.
static inline const struct frame *
stack_store_frame(const struct frame *at)
{
	return at->module == STACK_STORE_ELSEWHERE ? (const struct frame *)(uintptr_t)at->pc
											   : at;
}

// Keeps a stack's frames, with the modules that they lie in now, and hashes all but the first into
// the id: by the names of the modules' files and the ELF addresses there. NULL: there is no room.
// Any thread that holds the guard.
const struct frame *stack_store_keep(const struct stack *stack, uint64_t *id);

// What comes next may share these, which others can find from now on.
void stack_store_share(const struct frame *first, const struct stack *stack);

// Whether a frame lies in a module that is left (module_table.h).
bool stack_store_names_left(const struct frame *first, uint32_t depth);

// Takes the modules that are left from the frames, and gives those that are there now to frames
// that have none. Any two threads may do both at once: who gives is right.
void stack_store_unname(const struct frame *first, uint32_t depth);
void stack_store_name(const struct frame *first, uint32_t depth);

#endif
