// SPDX-License-Identifier: BSD-2-Clause
// sample: chooses the blocks that are recorded if not all are (PMEM_SAMPLE_BYTES), and how much
// a recorded block stands for.
//
// Who may call: the hooks, any thread, at any moment, in a signal handler too. Allocates only a
// thread's slot, never blocks. A library that records all blocks has no code of this module.
//
// Each requested byte is hit with the same small chance, as by a Poisson process. The distances
// between hits have an exponential distribution, PMEM_SAMPLE_BYTES on average, and are independent
// of earlier distances. So a thread counts down the bytes to the next hit, and a block that is hit
// is recorded. A block of s bytes is hit with the chance p = 1 - exp(-s / PMEM_SAMPLE_BYTES). A
// block that is hit is recorded as s / p bytes in 1 / p calls. On average these add up to the true
// sums, whatever the sizes. A count of calls is whole, so 1 / p is rounded up or down by chance.
// The block's tag says which way, and the free of the block subtracts what was added.
//
// A block that is not recorded is left out. A left-out block only adds to the sums of calls and
// bytes over all blocks. When a block is freed, marks show whether the block may be a recorded one.
// A page has a mark if a recorded block begins in it. Most left-out blocks are on pages without a
// mark, and are recognized without being read. But recorded blocks, which are requested with room
// for a tag, lie together on pages that hold other blocks, too. So each recorded block also has a
// mark of its own. If the marks of the page and of the block are set, the block's tag decides.

#ifndef PMEM_SAMPLE_H
#define PMEM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "base/guard.h"
#include "base/tag.h"
#include "threads/thread.h"
#include "heap/real.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

_Static_assert(PMEM_SAMPLE_BYTES >= 0 && PMEM_SAMPLE_BYTES <= 1 << 30,
	"PMEM_SAMPLE_BYTES must be from 0 to 1073741824, 1 GiB");
_Static_assert(PMEM_SAMPLE_SEED >= 0, "PMEM_SAMPLE_SEED must be a number from 0 on");

enum {
	SAMPLE_IS_ON = PMEM_SAMPLE_BYTES > 0,
	// Number of page marks: one for each page of 4 KiB in 256 MiB. Addresses that are a multiple of
	// 256 MiB apart share a mark.
	SAMPLE_PAGE_BITS = 12,
	SAMPLE_PAGES = 65536,
	// Number of block marks. A block's mark is chosen by a hash of its address; neighbours have
	// different marks. With a thousand recorded blocks, one in 65 other blocks on the same pages
	// has a set mark. The tag of such a block must be read.
	SAMPLE_BLOCK_BITS = 4,
	SAMPLE_BLOCKS = 65536,
};

// Whether a block is to be recorded, decided before it is allocated. Begins as SAMPLE_CHOICE: yes,
// with a tag in the block.
struct sample_choice {
	// Bytes in the block for the tag. If 0, a sampling library leaves the block out. A library that
	// records all blocks then puts the tag in the table (tag_table.h).
	size_t room;
};
#define SAMPLE_CHOICE {TAG_BYTES}

// How many bytes and calls a recorded block stands for.
struct sample_weight {
	uint64_t bytes;
	uint64_t calls;
};

// The marks. A page's mark is the number of recorded blocks that begin on the pages with this mark.
// A block's mark is the number of recorded blocks whose addresses have the same hash. A mark that
// has reached 255 is never changed again, since it cannot count further blocks. NULL and the blocks
// of the boot arena are no blocks of the allocator. So the marks of their pages are set to 255.
// Atomic.
extern uint8_t sample_pages[SAMPLE_IS_ON ? SAMPLE_PAGES : 1];
extern uint8_t sample_blocks[SAMPLE_IS_ON ? SAMPLE_BLOCKS : 1];

// Called if sample_passes() has returned false. Returns true if the block is hit: the block is then
// recorded. A block of no bytes counts as one byte.
bool sample_hits(size_t bytes);

// sample_count_alloc_apart() does what sample_count_alloc() does, in the thread's own slot or the
// shared slot. sample_count_free_shared() counts a free in the shared slot.
void sample_count_alloc_apart(uint64_t calls, size_t bytes);
void sample_count_free_shared(void);

// Called by sample_number(), sample_weight(), sample_mark() and sample_unmark() in a build that
// samples.
uint32_t sample_number_drawn(uint32_t source, size_t bytes);
struct sample_weight sample_weight_of(uint32_t number, size_t bytes);
void sample_set_mark(const void *block);
void sample_take_mark(const void *block);

// Returns the calls and bytes of all allocations and the calls of all frees, left-out blocks
// included. The freed bytes, which are not known, are 0. A fork child starts with its parent's
// sums.
struct counter sample_sum(void);

// Returns the thread's sums, or NULL if sample_passes() may not leave out the thread's blocks. It may if the
// thread has a slot of its own and the blocks' layout is known.
static inline struct slot_sample *
sample_sums(void)
{
	return SAMPLE_IS_ON ? real_thread.sample : NULL;
}

// Called in a fork child, whose thread gets another slot later.
static inline void
sample_fork(void)
{
	if (SAMPLE_IS_ON)
		real_thread.sample = NULL;
}

// sample_passes() and sample_choose() are called before the allocator is asked for the block. If
// the allocator fails, the countdown is not corrected: distances between hits are memoryless.
//
// Returns true if a block of `bytes` is left out, after subtracting `bytes` from the countdown. `own` is
// real_thread_own(). Returns false for a block of no bytes, inside a real function, if the thread may not
// leave the block out, or if it has fewer bytes left. Then sample_hits() decides.
static inline __attribute__((always_inline)) bool
sample_passes(struct real_thread own, size_t bytes)
{
	if (!SAMPLE_IS_ON || __builtin_expect(!own.sample, 0))
		return false;
	// A signal handler may count down between the read and the write. The handler's countdown is
	// then lost. But `left` never becomes more than it was.
	uint64_t left = own.sample->left;
	if (__builtin_expect(left <= bytes - 1 || own.inside != 0, 0))
		return false;
	own.sample->left = left - bytes;
	return true;
}

static inline void
sample_choose(struct sample_choice *choice, size_t bytes)
{
	if (SAMPLE_IS_ON)
		choice->room = !sample_passes(real_thread_own(), bytes) && sample_hits(bytes) ? TAG_BYTES : 0;
}

static inline void
sample_leave_out(struct sample_choice *choice)
{
	if (SAMPLE_IS_ON)
		choice->room = 0;
}

static inline bool
sample_leaves_out(const struct sample_choice *choice)
{
	return SAMPLE_IS_ON && __builtin_expect(choice->room == 0, 1);
}

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

// Returns true if the mark of the block's page alone shows two things: the block is not recorded,
// and is not NULL.
static inline bool
sample_is_unmarked(const void *block)
{
	return SAMPLE_IS_ON && __builtin_expect(*sample_page_mark(block) == 0, 1);
}

// Returns true if the mark of the block or of its page shows that the block surely is not recorded.
// `block` is not NULL.
static inline bool
sample_left_out(const void *block)
{
	return sample_is_unmarked(block) || (SAMPLE_IS_ON && *sample_block_mark(block) == 0);
}

// sample_mark() is called when a tag is written, sample_unmark() when it is wiped.
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

// Returns the number for a new block's tag. The number holds the source, and whether the block's
// weight in calls is rounded up. Chance decides the rounding.
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

// Returns how much a recorded block stands for. `number` is the number in the block's tag.
static inline struct sample_weight
sample_weight(uint32_t number, size_t bytes)
{
	// Not `?:`: with a struct result clang keeps the call in the branch that is never taken.
	if (SAMPLE_IS_ON)
		return sample_weight_of(number, bytes);
	return (struct sample_weight){bytes, 1};
}

// Adds to a number in a thread's own slot in one step: a signal handler may add, too. sample_count_alloc()
// counts `calls` of together `bytes`.
#ifdef __x86_64__
static inline void
sample_add(uint64_t *number, uint64_t more)
{
	// The instruction needs no lock prefix, since no other thread writes the number.
	__asm__("addq %1, %0" : "+m"(*number) : "er"(more));
}
#else
static inline void
sample_add(uint64_t *number, uint64_t more)
{
	__atomic_fetch_add(number, more, __ATOMIC_RELAXED);
}
#endif
#ifdef __aarch64__
// One pair of registers has both numbers (struct slot_sample aligns them).
static inline void
sample_count_alloc(struct slot_sample *own, uint64_t calls, size_t bytes)
{
	uint64_t allocs, alloc_bytes, fails;

	_Static_assert(offsetof(struct counter, alloc_bytes) == offsetof(struct counter, allocs) + 8, "a pair");
	__asm__("0: ldxp %0, %1, %3\n\tadd %0, %0, %5\n\tadd %1, %1, %6\n\tstxp %w2, %0, %1, %3\n\tcbnz %w2, 0b"
		: "=&r"(allocs), "=&r"(alloc_bytes), "=&r"(fails), "+Q"(own->all.allocs),
		"+m"(own->all.alloc_bytes) : "Ir"(calls), "r"(bytes));
}
#else
static inline void
sample_count_alloc(struct slot_sample *own, uint64_t calls, size_t bytes)
{
	sample_add(&own->all.allocs, calls);
	sample_add(&own->all.alloc_bytes, bytes);
}
#endif

// Does the same as sample_count_free(), but finds the thread's sums faster.
static inline __attribute__((always_inline)) void
sample_count_free_own(void)
{
	struct slot_sample *own = sample_sums();
	if (__builtin_expect(own != NULL, 1))
		sample_add(&own->all.frees, 1);
	else
		sample_count_free_shared();
}

// Counts a free, in the thread's own slot if it has one, or else in the shared slot.
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
