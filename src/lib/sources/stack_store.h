// SPDX-License-Identifier: BSD-2-Clause
// stack_store: the frames of all stored stacks. A stack mostly has the same outer frames as one of
// the last few stacks. Then only its inner frames are stored. After them a link leads to the
// earlier stack's frame where the shared frames begin.
//
// Who may call: any thread that holds the guard, unless a function says otherwise. Never allocates,
// except that it maps its table when used; never blocks.

#ifndef PMEM_STACK_STORE_H
#define PMEM_STACK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "stacks/stack.h"
#include "base/table.h"

// A return address and the number of the module in which it lies; or the frame of a script line.
struct frame {
	uint64_t pc : 48;
	uint64_t module : 16;
};

enum {
	// A struct frame with this value as its module is no frame, but a link. Its pc is the address
	// of the frame where the stack continues.
	STACK_STORE_ELSEWHERE = UINT16_MAX,
	STACK_STORE_SHIFT = TABLE_CHUNK_BITS - 3,
	// The frames that are stored for one stack lie in one chunk. So a chunk has room for this many
	// stacks of PMEM_FRAMES frames.
	STACK_STORE_STACKS_IN_CHUNK = (1 << STACK_STORE_SHIFT) / PMEM_FRAMES,
	STACK_STORE_CHUNKS = PMEM_SOURCES / STACK_STORE_STACKS_IN_CHUNK + 1,
};

// Returns the frame at `at`. If there is a link at `at`, returns the frame to which it leads. For a
// stack's first frame, `at` is what stack_store_keep() returned. For each next frame, `at` is the
// entry after the frame that was returned last. A stack has as many frames as its depth.
static inline const struct frame *
stack_store_frame(const struct frame *at)
{
	return at->module == STACK_STORE_ELSEWHERE ? (const struct frame *)(uintptr_t)at->pc
											   : at;
}

// Stores a stack's frames, each with the module that now contains its address. Returns the first
// frame. Hashes all frames but the first into `id`, each by its module's file name and its ELF
// address there. Returns NULL if there is no room.
const struct frame *stack_store_keep(const struct stack *stack, uint64_t *id);

// Lets later stacks share these frames. From now on other threads can find them.
void stack_store_share(const struct frame *first, const struct stack *stack);

// Returns true if a frame lies in a module that is unloaded and marked as left (module_table.h).
bool stack_store_names_left(const struct frame *first, uint32_t depth);

// stack_store_unname() removes the modules marked as left from the frames. If a frame has no
// module, or one marked as left, stack_store_name() gives it the module that now contains its
// address. If two threads call the two functions at once for one frame, the frame gets that module.
void stack_store_unname(const struct frame *first, uint32_t depth);
void stack_store_name(const struct frame *first, uint32_t depth);

#endif
