// size: the usable size of a block, most often without asking the allocator for it.
//
// Who may call: the hooks. Never allocates, never blocks.
//
// Of a new block of glibc's it stands before the block. Other allocators have functions that
// say how large a block for so many bytes will be; where these are to be trusted (real.h) the
// answers are kept by steps of a few bytes, each after a first block of it was asked about.
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

#include "real.h"
#include "tag.h"
#include "thread.h"

enum {
	// All sizes of blocks are multiples of it, or there are no steps.
	SIZE_STEP_BYTES = 8,
	SIZE_STEPS = 1024 / SIZE_STEP_BYTES + 1,
	// The smallest of any machine; larger ones are made up of such.
	SIZE_PAGE_BYTES = 4096,
};

// As `alignment`: malloc()'s, but of a block whose size nothing foretells: it was resized, and
// may have remained as it was, or it is another function's than malloc().
#define SIZE_TO_ASK ((size_t)1)

// Usable bytes by steps of bytes asked for; 0: not known. Atomic.
extern uint16_t size_steps[SIZE_STEPS];

size_t size_ask(void *block, size_t bytes, size_t alignment);

// tcmalloc's samples, if it takes any, are larger than they would have been.
static inline bool
size_is_sample(const void *block)
{
	return __builtin_expect((uintptr_t)block % SIZE_PAGE_BYTES == 0, 0) && real.samples;
}

// Usable bytes of a block that the real allocator has just given, asked for `bytes`, at an
// alignment other than malloc()'s if `alignment` is not 0.
static inline size_t
size_of_new(void *block, size_t bytes, size_t alignment)
{
	if (__builtin_expect(real.chunk_headers, 1))
		return real_chunk_usable(block);
	size_t step = (bytes + SIZE_STEP_BYTES - 1) / SIZE_STEP_BYTES;
	if (__builtin_expect(alignment == 0 && step < SIZE_STEPS, 1) && !size_is_sample(block)) {
		size_t usable = __atomic_load_n(&size_steps[step], __ATOMIC_RELAXED);
		if (__builtin_expect(usable != 0, 1))
			return usable;
	}
	return size_ask(block, bytes, alignment);
}

// Whether a block's last bytes lie on the page where it begins.
static inline bool
size_is_near(void *block, size_t usable)
{
	return (((uintptr_t)block + usable - TAG_BYTES) ^ (uintptr_t)block) < SIZE_PAGE_BYTES;
}

static inline uint64_t *
size_page(struct slot *slot, void *block)
{
	return &slot->pages[(uintptr_t)block / SIZE_PAGE_BYTES % SLOT_PAGES];
}

// Usable bytes of a block that was given to free(), as far as can be guessed, or 0.
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
