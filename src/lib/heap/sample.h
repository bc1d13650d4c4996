// SPDX-License-Identifier: BSD-2-Clause
// sample: which blocks are recorded where not all are (PMEM_SAMPLE_BYTES), and what one stands for.
//
// Who may call: the hooks, any thread, at any moment, in a signal handler too. Never allocates
// but a thread's slot, never blocks. Where all are recorded nothing is left of it.
//
// Each byte that is asked for is hit with the same small chance, as by a Poisson process: the bytes
// from one hit to the next have an exponential distribution, of PMEM_SAMPLE_BYTES on an average,
// and no memory of those before. So a thread counts down, and a block that is hit, which one of s
// bytes is with the chance p = 1 - exp(-s / PMEM_SAMPLE_BYTES), is recorded, as s / p bytes in
// 1 / p calls: what these add up to is on an average what there was, whatever the sizes. A call is
// no fraction, so 1 / p is rounded up or down by chance; its tag says which, and whoever frees the
// block takes away what was added.
//
// Of the others only calls and bytes are counted, for all together. A page in which no recorded
// block begins has no mark: so most of them are known at a glance that is not even at the block.
// Recorded blocks, which are asked for with more room than others, come to lie together on pages
// from which programs have others, too: so where a page has a mark, blocks have marks of their own.
// Where a block may have one the tag tells.

#ifndef PMEM_SAMPLE_H
#define PMEM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/guard.h"
#include "base/tag.h"
#include "threads/thread.h"

// See libc.h.
#pragma GCC visibility push(hidden)

_Static_assert(PMEM_SAMPLE_BYTES >= 0 && PMEM_SAMPLE_BYTES <= 1 << 30,
	"PMEM_SAMPLE_BYTES must be from 0 to 1073741824, 1 GiB");
_Static_assert(PMEM_SAMPLE_SEED >= 0, "PMEM_SAMPLE_SEED must be a number from 0 on");

enum {
	SAMPLE_IS_ON = PMEM_SAMPLE_BYTES > 0,
	// Pages whose marks are apart, of 4 KiB: those of 256 MiB. What lies beyond shares them.
	SAMPLE_PAGE_BITS = 12,
	SAMPLE_PAGES = 65536,
	// Blocks whose marks are apart: neighbours are. Where a thousand are recorded, all but one in 65
	// of the others on their pages are known for what they are.
	SAMPLE_BLOCK_BITS = 4,
	SAMPLE_BLOCKS = 65536,
};

// Whether a block is to be recorded, before there is one. It is, until sample_choose() says no.
struct sample_choice {
	// For its tag. 0: where blocks are sampled it is left out; else its tag is in the table
	// (tag_table.h).
	size_t room;
};
#define SAMPLE_CHOICE {TAG_BYTES}

// What a recorded block counts for.
struct sample_weight {
	uint64_t bytes;
	uint64_t calls;
};

// How many recorded blocks begin on each page, and how many there are of each hash; 255: so many,
// for good. The page of what is no block of an allocator's, as NULL, has a mark for good. Atomic.
extern uint8_t sample_pages[SAMPLE_IS_ON ? SAMPLE_PAGES : 1];
extern uint8_t sample_blocks[SAMPLE_IS_ON ? SAMPLE_BLOCKS : 1];

// The thread's own, where blocks may pass at a glance: it has a slot of its own, and what blocks
// are like is known. Else NULL.
extern __thread struct slot_sample *sample_own;

// Bytes that it may ask for before a block is chosen; 0 as long as the above is NULL.
extern __thread uint64_t sample_left;

// Where the thread's countdown does not settle it. One of no bytes counts as one byte.
bool sample_hits(size_t bytes);

// The same as sample_count_alloc(), in whatever slot; and for a free without one's own.
void sample_count_alloc_apart(size_t bytes);
void sample_count_free_shared(void);

// What they are here for where blocks are sampled.
uint32_t sample_number_drawn(uint32_t source, size_t bytes);
struct sample_weight sample_weight_of(uint32_t number, size_t bytes);
void sample_set_mark(const void *block);
void sample_take_mark(const void *block);

// All that was asked for and given back, blocks that are left out too, but for the bytes that were
// freed: these are 0. In a fork's child as in its parent by then, and on from there.
struct counter sample_sum(void);

// Before the allocator is asked for a block of so many bytes. What it then refuses is forgotten:
// there is no memory in it.
//
#if PMEM_SAMPLE_BYTES > 0
// Whether a block of that size is left out, as is seen at a glance. One of no bytes never is.
static inline __attribute__((always_inline)) bool
sample_passes(size_t bytes)
{
	// A handler may come in between: what it took is forgotten, and what is left never grows.
	uint64_t left = sample_left;

	if (__builtin_expect(left <= bytes - 1, 0))
		return false;
	sample_left = left - bytes;
	return true;
}

// The thread's own sums, where its blocks may pass.
static inline struct slot_sample *
sample_sums(void)
{
	return sample_own;
}

// In a fork's child, whose thread is to have a slot of its own.
static inline void
sample_fork(void)
{
	sample_left = 0;
	sample_own = NULL;
}

static inline void
sample_choose(struct sample_choice *choice, size_t bytes)
{
	bool is_hit = !sample_passes(bytes) && sample_hits(bytes);
	choice->room = is_hit ? TAG_BYTES : 0;
}

static inline void
sample_leave_out(struct sample_choice *choice)
{
	choice->room = 0;
}

static inline bool
sample_leaves_out(const struct sample_choice *choice)
{
	return __builtin_expect(choice->room == 0, 1);
}
#else
static inline bool
sample_passes(size_t bytes)
{
	(void)bytes;
	return false;
}

static inline struct slot_sample *
sample_sums(void)
{
	return NULL;
}

static inline void
sample_fork(void)
{
}

static inline void
sample_choose(struct sample_choice *choice, size_t bytes)
{
	(void)choice, (void)bytes;
}

static inline void
sample_leave_out(struct sample_choice *choice)
{
	(void)choice;
}

static inline bool
sample_leaves_out(const struct sample_choice *choice)
{
	(void)choice;
	return false;
}
#endif

static inline uint8_t *
sample_page_mark(const void *block)
{
	return &sample_pages[((uintptr_t)block >> SAMPLE_PAGE_BITS) % SAMPLE_PAGES];
}

static inline uint8_t *
sample_block_mark(const void *block)
{
	uintptr_t place = (uintptr_t)block >> SAMPLE_BLOCK_BITS;
	return &sample_blocks[(place ^ place >> 16) % SAMPLE_BLOCKS];
}

// Whether a block that the program has is surely none that was recorded, and not NULL, as is seen
// at a glance.
static inline bool
sample_is_unmarked(const void *block)
{
	return SAMPLE_IS_ON
		&& __builtin_expect(__atomic_load_n(sample_page_mark(block), __ATOMIC_RELAXED) == 0, 1);
}

// The same of what is a block, with another glance at need.
static inline bool
sample_left_out(const void *block)
{
	return sample_is_unmarked(block)
		|| (SAMPLE_IS_ON
			&& __atomic_load_n(sample_block_mark(block), __ATOMIC_RELAXED) == 0);
}

// When a block was recorded, and when it is one no longer.
static inline void
sample_mark(const void *block)
{
	if (SAMPLE_IS_ON)
		sample_set_mark(block);
}

static inline void
sample_unmark(const void *block)
{
	if (SAMPLE_IS_ON)
		sample_take_mark(block);
}

// What a tag says of the source, for a new block: whether its calls are rounded up.
static inline uint32_t
sample_number(uint32_t source, size_t bytes)
{
	return SAMPLE_IS_ON ? sample_number_drawn(source, bytes) : source;
}

static inline uint32_t
sample_source(uint32_t number)
{
	return number / TAG_KINDS;
}

// By the tag's number.
static inline struct sample_weight
sample_weight(uint32_t number, size_t bytes)
{
	// Not `?:`: clang keeps the call of a branch that is never taken, where a struct comes of it.
	if (SAMPLE_IS_ON)
		return sample_weight_of(number, bytes);
	return (struct sample_weight){bytes, 1};
}

// In a thread's own slot, where a handler may come in between.
static inline void
sample_add(uint64_t *number, uint64_t more)
{
#ifdef __x86_64__
	// One instruction: nobody else writes it.
	__asm__("addq %1, %0" : "+m"(*number) : "er"(more));
#else
	__atomic_fetch_add(number, more, __ATOMIC_RELAXED);
#endif
}

// Counts a block that the program got.
static inline void
sample_count_alloc(struct slot_sample *sample, size_t bytes)
{
	sample_add(&sample->all.allocs, 1);
	sample_add(&sample->all.alloc_bytes, bytes);
}


// One that it gives back, as most do.
static inline __attribute__((always_inline)) void
sample_count_free_own(void)
{
	struct slot_sample *own = sample_sums();
	if (__builtin_expect(own != NULL, 1))
		sample_add(&own->all.frees, 1);
	else
		sample_count_free_shared();
}

// The same, of any thread's.
static inline __attribute__((always_inline)) void
sample_count_free(void)
{
	struct slot *slot = thread_slot;

	if (!SAMPLE_IS_ON)
		return;
	if (__builtin_expect(slot && slot != &thread_shared, 1))
		sample_add(&slot->sample->all.frees, 1);
	else
		sample_count_free_shared();
}

#pragma GCC visibility pop

#endif
