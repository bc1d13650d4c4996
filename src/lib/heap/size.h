// SPDX-License-Identifier: BSD-2-Clause
// size: finds the usable size of a block, mostly without asking the allocator.
//
// Who may call: the hooks. Never blocks. Allocates nothing, with one exception: two small blocks,
// once, which are freed again. The exception is made if a wrapper is between us and an allocator
// that is not glibc's.
//
// The size of a new block of glibc's is read from the header before the block (glibc_chunk.h).
// Other allocators' sizes are mostly predicted (size_class.h). Otherwise the allocator is asked,
// and the block is checked: if the block cannot hold a tag, all recording ends.
//
// A block to be freed is guessed to be as large as the thread's last freed block on its page. A
// wrong guess does no harm: a tag is valid only for its block and at its place (tag.h). So if a tag
// is found where the guess says, the guess was right. The place is on the block's own page, which
// can be read.

#ifndef PMEM_SIZE_H
#define PMEM_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/address.h"
#include "base/tag.h"
#include "heap/glibc_chunk.h"
#include "heap/size_class.h"
#include "threads/thread.h"

enum {
	// The smallest page of any machine. Other machines' pages are multiples of it.
	SIZE_PAGE_BYTES = SIZE_CLASS_PAGE_BYTES,
};

// A value for `alignment`: malloc()'s alignment, but the allocator must be asked for the block's
// size. The block was resized and may have kept its size, or did not come from malloc(). So a
// prediction may be wrong.
#define SIZE_TO_ASK ((size_t)1)
// The size must be asked for, as with SIZE_TO_ASK. In addition the program requested an alignment
// that is not valid, such as 0.
#define SIZE_ODD ((size_t)3)

// The result of malloc_usable_size() for a block of no bytes, or 0 if not known.
extern size_t size_of_none;

// Called once, when the real functions are known, before the first block. `owns` is tcmalloc's
// MallocExtension_GetOwnership(), or 0.
void size_start(uintptr_t owns);

size_t size_ask(void *block, size_t bytes, size_t alignment);

// Sets `usable` as size_of_new() does, and returns true, if the allocator need not be asked.
static inline bool
size_of_common(void *block, size_t bytes, size_t alignment, size_t *usable)
{
	if (__builtin_expect(glibc_chunk_layout.says_size, 1))
		return glibc_chunk_says(block, usable);
	*usable = alignment == 0 && !size_class_is_sample(block) ? size_class_step(bytes) : 0;
	return *usable != 0;
}

// Returns the usable bytes of a block that the real allocator has just given for a request of
// `bytes`. `alignment` is 0 for malloc()'s alignment. If the check of the block ends all recording,
// returns `bytes`: the block has at least that many.
static inline size_t
size_of_new(void *block, size_t bytes, size_t alignment)
{
	size_t usable;
	if (__builtin_expect(size_of_common(block, bytes, alignment, &usable), 1))
		return usable;
	return glibc_chunk_layout.says_size ? real.malloc_usable_size(block)
		: size_ask(block, bytes, alignment);
}

// Returns the usable bytes of a block that was given to free(), realloc() or malloc_usable_size().
// Returns 0 if the address plainly is no block. The caller must not read the block's end then. We
// would crash before the allocator reports the error in its own way.
size_t size_of_given(void *block);

// Returns the usable bytes of an allocator's block without a tag, as the allocator reports
// them.
size_t size_of_untagged(void *block);

// Returns true if a block ends on the page where it begins. musl's blocks may end at any byte.
static inline bool
size_is_near(void *block, size_t usable)
{
	return (((uintptr_t)block + usable - 1) ^ (uintptr_t)block) < SIZE_PAGE_BYTES;
}

static inline uint64_t *
size_page(struct slot *slot, void *block)
{
	return &slot->pages[(uintptr_t)block / SIZE_PAGE_BYTES % SLOT_PAGES];
}

// Returns a guess of the block's usable bytes, or 0 if no guess can be made. If the pointer has a tag, bytes
// behind the block may have another one. Reading them would be a fault (address.h).
static inline size_t
size_guess(struct slot *slot, void *block)
{
	uint64_t page = __atomic_load_n(size_page(slot, block), __ATOMIC_RELAXED);
	size_t usable = (uint16_t)page;
	if (__builtin_expect(page >> 16 != (uintptr_t)block / SIZE_PAGE_BYTES
			|| address_of(block) != (uintptr_t)block || !size_is_near(block, usable), 0))
		return 0;
	return usable;
}

// Records the block's size for later guesses.
static inline void
size_note(struct slot *slot, void *block, size_t usable)
{
	uint64_t page = (uintptr_t)block / SIZE_PAGE_BYTES;
	if (size_is_near(block, usable))
		__atomic_store_n(size_page(slot, block), page << 16 | usable, __ATOMIC_RELAXED);
}

#endif
