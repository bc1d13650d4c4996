// SPDX-License-Identifier: BSD-2-Clause
// size_class: how large a block for so many bytes will be, as other allocators than glibc's say.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// jemalloc, tcmalloc and mimalloc each have a function that says so. Where its word is to be
// trusted, answers are kept by steps of a few bytes, each after a first block of that size was
// asked about: so a block is mostly not.

#ifndef PMEM_SIZE_CLASS_H
#define PMEM_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// See libc.h.
#pragma GCC visibility push(hidden)

enum {
	// All sizes of blocks are multiples of it, or there are no steps.
	SIZE_CLASS_STEP_BYTES = 8,
	SIZE_CLASS_STEPS = 1024 / SIZE_CLASS_STEP_BYTES + 1,
	// The smallest page of any machine.
	SIZE_CLASS_PAGE_BYTES = 4096,
};

// The allocator's own functions by these names; 0: it has none.
struct size_class_functions {
	uintptr_t nallocx; // jemalloc's and tcmalloc's
	uintptr_t mallctl; // jemalloc's
	uintptr_t tc_version;
	uintptr_t mi_version;
	uintptr_t mi_good_size;
};

extern struct size_class {
	size_t (*nallocx)(size_t, int); // at least one of these two is NULL
	size_t (*good_size)(size_t);
	bool is_trusted; // all that malloc() gives is of the size that they say; atomic
	bool has_samples; // but for some blocks, which are aligned to a page: tcmalloc
	bool is_all;     // see size_class_is_all(); atomic
} size_class;

// Usable bytes by steps of bytes asked for; 0: not known. Atomic.
extern uint16_t size_class_steps[SIZE_CLASS_STEPS];

// Whose word is taken. Called once, before the first block.
void size_class_start(const struct size_class_functions *functions);

// Whether anybody foretells.
static inline bool
size_class_is_to_be_had(void)
{
	return size_class.nallocx || size_class.good_size;
}

// Usable bytes of a block for so many. The second is nallocx()'s word for an alignment.
size_t size_class_bytes(size_t bytes);
size_t size_class_aligned_bytes(size_t bytes, size_t alignment);

// Whether what was foretold is all that is known of a block: gperftools' tcmalloc tells no size
// before its constructor has run, which comes after those of nearly all libraries.
static inline bool
size_class_is_all(void)
{
	return __builtin_expect(__atomic_load_n(&size_class.is_all, __ATOMIC_RELAXED), 0);
}

// Meanwhile, the size of a block on its way back: the one at which there is a tag; 0: none.
size_t size_class_size_with_tag(void *block);

// That time is over: tcmalloc has told a size, that of a block for `bytes`.
void size_class_ends(size_t bytes, size_t usable);

// A block that malloc() gave for `bytes` has `usable` bytes, and so will the next, if that is what
// was foretold.
void size_class_learn(size_t bytes, size_t usable);

// tcmalloc's samples, if it takes any, are larger than they would have been.
static inline bool
size_class_is_sample(const void *block)
{
	return __builtin_expect((uintptr_t)block % SIZE_CLASS_PAGE_BYTES == 0, 0)
		&& size_class.has_samples;
}

// What was learnt of new blocks for so many bytes; 0: nothing.
static inline size_t
size_class_step(size_t bytes)
{
	size_t step = (bytes + SIZE_CLASS_STEP_BYTES - 1) / SIZE_CLASS_STEP_BYTES;
	return step < SIZE_CLASS_STEPS
		? __atomic_load_n(&size_class_steps[step], __ATOMIC_RELAXED)
		: 0;
}

#pragma GCC visibility pop

#endif
