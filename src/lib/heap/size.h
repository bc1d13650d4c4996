// SPDX-License-Identifier: BSD-2-Clause
// size: the usable size of a block, most often without asking the allocator for it.
//
// Who may call: the hooks. Never blocks. Allocates nothing, but where a wrapper stands between us
// and an allocator that is not glibc's: two small blocks, once, which are given back.
//
// Of a new block of glibc's it stands before the block (glibc_chunk.h); of others' it is mostly
// foretold (size_class.h). Else the allocator is asked, and what a block is like is looked at: one
// that is not what a tag needs ends all recording.
//
// A block on its way back is guessed to be as large as the last one that this thread gave back
// from the same page. That is as good as asking: the tag that is looked for there is valid for
// this block and this place alone (tag.h), so that it stands there or the guess was wrong; and
// what is looked at lies on the block's own page, which can be read.

#ifndef PMEM_SIZE_H
#define PMEM_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tag.h"
#include "heap/glibc_chunk.h"
#include "heap/size_class.h"
#include "threads/thread.h"

enum {
	SIZE_PAGE_BYTES = SIZE_CLASS_PAGE_BYTES, // larger ones are made up of such
};

// Given as an alignment: it is malloc()'s, but the size is not foretold. The block was resized, and
// may have stayed as large as it was; or a function gave it that is not malloc().
#define SIZE_TO_ASK ((size_t)1)
// The same of a function that was asked for a block at no alignment that there is, as 0.
#define SIZE_ODD ((size_t)3)

// What malloc_usable_size() says of a block of no bytes; 0: not known.
extern size_t size_of_none;

// Called once, when the real functions are known, before the first block. `owns` is tcmalloc's
// MallocExtension_GetOwnership(), or 0.
void size_start(uintptr_t owns);

size_t size_ask(void *block, size_t bytes, size_t alignment);

// Usable bytes of a block that the real allocator has just given, asked for `bytes`, at an
// alignment other than malloc()'s if `alignment` is not 0. Where the look at the block ends all
// recording, it is `bytes`: at least so many are there.
static inline size_t
size_of_new(void *block, size_t bytes, size_t alignment)
{
	if (__builtin_expect(glibc_chunk_layout.says_size, 1))
		return glibc_chunk_usable(block);
	if (__builtin_expect(alignment == 0, 1) && !size_class_is_sample(block)) {
		size_t usable = size_class_step(bytes);
		if (__builtin_expect(usable != 0, 1))
			return usable;
	}
	return size_ask(block, bytes, alignment);
}

// Usable bytes of a block that was given to free(), realloc() or malloc_usable_size(), or 0
// when it plainly is no block. Its end must not be read then: the allocator is to report such an
// error in its own way, and we would crash before.
size_t size_of_given(void *block);

// Usable bytes of a block of the allocator's that bears no tag, as the allocator says.
size_t size_of_untagged(void *block);

// Whether a block's last bytes lie on the page where it begins.
static inline bool
size_is_near(void *block, size_t usable)
{
	return (((uintptr_t)block + usable - TAG_WORD_BYTES) ^ (uintptr_t)block) < SIZE_PAGE_BYTES;
}

static inline uint64_t *
size_page(struct slot *slot, void *block)
{
	return &slot->pages[(uintptr_t)block / SIZE_PAGE_BYTES % SLOT_PAGES];
}

// The same, as far as can be guessed, or 0.
static inline size_t
size_guess(struct slot *slot, void *block)
{
	uint64_t page = __atomic_load_n(size_page(slot, block), __ATOMIC_RELAXED);
	size_t usable = (uint16_t)page;
	if (__builtin_expect(page >> 16 != (uintptr_t)block / SIZE_PAGE_BYTES
			|| !size_is_near(block, usable), 0))
		return 0;
	return usable;
}

// For the guesses to come.
static inline void
size_note(struct slot *slot, void *block, size_t usable)
{
	uint64_t page = (uintptr_t)block / SIZE_PAGE_BYTES;
	if (size_is_near(block, usable))
		__atomic_store_n(size_page(slot, block), page << 16 | usable, __ATOMIC_RELAXED);
}

#endif
