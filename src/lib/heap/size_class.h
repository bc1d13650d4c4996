// SPDX-License-Identifier: BSD-2-Clause
// size_class: predicts the size of a block by the functions of allocators other than glibc's.
//
// Who may call: any thread, at any moment. Never allocates, never blocks.
//
// jemalloc, tcmalloc and mimalloc each have a function that predicts the usable bytes for requested
// bytes. If its predictions can be trusted, they are kept in an array, one for each step of 8
// requested bytes. A step's prediction is kept once the allocator has confirmed the size of a block
// of that step. So the allocator is mostly not asked about a block.

#ifndef PMEM_SIZE_CLASS_H
#define PMEM_SIZE_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

enum {
	// The requested bytes of one step. A prediction is kept only if it is the same for the whole
	// step.
	SIZE_CLASS_STEP_BYTES = 8,
	SIZE_CLASS_STEPS = 1024 / SIZE_CLASS_STEP_BYTES + 1,
	// The smallest page of any machine.
	SIZE_CLASS_PAGE_BYTES = 4096,
};

// The allocator's own functions of these names; 0 if it has none.
struct size_class_functions {
	uintptr_t nallocx; // jemalloc's and tcmalloc's
	uintptr_t mallctl; // jemalloc's
	uintptr_t tc_version;
	uintptr_t mi_version;
	uintptr_t mi_good_size;
};

extern struct size_class {
	// nallocx() and mi_good_size() predict. At least one of the two pointers is NULL.
	size_t (*nallocx)(size_t, int);
	size_t (*good_size)(size_t);
	bool is_trusted; // all blocks that malloc() gives have the predicted size; atomic
	bool has_samples; // tcmalloc: some page-aligned blocks, its samples, are larger than predicted
	bool is_all;     // what size_class_is_all() returns; atomic
} size_class;

// Predicted usable bytes of a block, by the step of its requested bytes; 0 if none is kept.
// Atomic.
extern uint16_t size_class_steps[SIZE_CLASS_STEPS];

// Chooses the function that predicts. Called once, before the first block.
void size_class_start(const struct size_class_functions *functions);

// Returns true if a function predicts sizes.
static inline bool
size_class_is_to_be_had(void)
{
	return size_class.nallocx || size_class.good_size;
}

// Return the predicted usable bytes of a block for a request of `bytes`. size_class_aligned_bytes()
// is only for allocators with nallocx().
size_t size_class_bytes(size_t bytes);
size_t size_class_aligned_bytes(size_t bytes, size_t alignment);

// Returns true while sizes can only be predicted, not asked for. gperftools' tcmalloc tells no size
// before its constructor has run. That constructor runs after the constructors of nearly all
// libraries.
static inline bool
size_class_is_all(void)
{
	return __builtin_expect(__atomic_load_n(&size_class.is_all, __ATOMIC_RELAXED), 0);
}

// Returns the usable size of a block that is freed while size_class_is_all(). This is the predicted
// size at whose end a tag is found. Returns 0 if no tag is found.
size_t size_class_size_with_tag(void *block);

// Makes size_class_is_all() false from now on. Called when tcmalloc has said that a block for
// `bytes` has `usable` bytes.
void size_class_ends(size_t bytes, size_t usable);

// Records that a block that malloc() gave for `bytes` has `usable` bytes. If that was predicted,
// the prediction is kept for this step of requested bytes.
void size_class_learn(size_t bytes, size_t usable);

// Returns true if the block may be one of tcmalloc's samples: the few blocks that its heap profiler
// follows. A sample is larger than other blocks for the same request.
static inline bool
size_class_is_sample(const void *block)
{
	return __builtin_expect((uintptr_t)block % SIZE_CLASS_PAGE_BYTES == 0, 0)
		&& size_class.has_samples;
}

// Returns the predicted usable bytes of a block for a request of `bytes`, or 0 if no prediction is
// kept.
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
