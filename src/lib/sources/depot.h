// SPDX-License-Identifier: BSD-2-Clause
// depot: the frames of all stacks that are kept. What ends as one of the last few did, as most
// stacks do, keeps only what is its own, and where it goes on in the other.
//
// Who may call: see at each. Never allocates but by mapping its table as it is used, never blocks.

#ifndef PMEM_DEPOT_H
#define PMEM_DEPOT_H

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
	DEPOT_ELSEWHERE = UINT16_MAX, // for a module: the stack goes on where pc points to
	DEPOT_SHIFT = TABLE_CHUNK_BITS - 3,
	// A stack's own frames lie in one chunk: as many stacks of PMEM_FRAMES as it takes count.
	DEPOT_STACKS_IN_CHUNK = (1 << DEPOT_SHIFT) / PMEM_FRAMES,
	DEPOT_CHUNKS = PMEM_SOURCES / DEPOT_STACKS_IN_CHUNK + 1,
};

// The frame that stands there: at the address that depot_keep() gave, and then behind each frame
// the next one, as many as the stack has.
static inline const struct frame *
depot_frame(const struct frame *at)
{
	return at->module == DEPOT_ELSEWHERE ? (const struct frame *)(uintptr_t)at->pc : at;
}

// Keeps a stack's frames, with the modules that they lie in now, and hashes all but the first into
// the id: by the names of the modules' files and the ELF addresses there. NULL: there is no room.
// Any thread that holds the guard.
const struct frame *depot_keep(const struct stack *stack, uint64_t *id);

// What comes next may share these, which others can find from now on.
void depot_share(const struct frame *first, const struct stack *stack);

// Whether a frame lies in a module that is left (module_table.h).
bool depot_names_left(const struct frame *first, uint32_t depth);

// Takes the modules that are left from the frames, and gives those that are there now to frames
// that have none. Any two threads may do both at once: who gives is right.
void depot_unname(const struct frame *first, uint32_t depth);
void depot_name(const struct frame *first, uint32_t depth);

#endif
