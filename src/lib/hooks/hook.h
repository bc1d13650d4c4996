// SPDX-License-Identifier: BSD-2-Clause
// hook: what a hook is made of, for the files of this folder.
//
// A hook works at any moment: before our constructor, after our destructor, or in a handler that
// interrupted another hook. It returns what the real function returned, with the errno that the
// real function left. What we do after that keeps errno.

#ifndef PMEM_HOOK_H
#define PMEM_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/libc.h"
#include "heap/next_symbol.h"
#include "heap/boot.h"
#include "heap/real.h"
#include "heap/interposer.h"
#include "heap/allocator.h"
#include "base/tag.h"
#include "heap/tag_table.h"
#include "elf/module.h"
#include "heap/sample.h"
#include "hooks/record.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// The functions are hidden under names of their own. So &hook_malloc is our address whatever the
// program calls malloc.
#define EXPORT(function, hook) \
	extern __typeof__(hook) function \
		__attribute__((alias(#hook), visibility("default"), used))

// The call of a hook. Used in the hook itself.
#define CALL(function, hook_name) CALL_ALIGNED(function, hook_name, 0)
#define CALL_ALIGNED(function, hook_name, asked_alignment) \
	((struct hook_call){ \
		{(uintptr_t)(function), \
			{(uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_dwarf_cfa(), \
				*(const uintptr_t *)__builtin_frame_address(0)}}, \
		hook_name, asked_alignment, SAMPLE_CHOICE})

// If the compiler makes tail calls, a hook may end in a call of another function. That function
// then has the hook's caller and cfa, so the hook itself needs no frame.
#ifdef PMEM_HOOKS_JUMP // compile.sh finds out
enum { HOOK_GIVES_PLACE = SAMPLE_IS_ON };
#else
enum { HOOK_GIVES_PLACE = false };
#endif

// Returns false if the call must only be passed on. The hook's caller and cfa, and the bytes that
// are asked for (0 if none), show whether the allocator calls itself.
static inline __attribute__((always_inline)) bool
is_on(uintptr_t caller, uintptr_t cfa, size_t bytes)
{
	enum real_state now = real_state();
	if (__builtin_expect(now == REAL_ON, 1))
		return true;
	if (__builtin_expect(now == REAL_ON_OTHER, 1))
		return __builtin_expect(real_inside == 0, 1)
			|| !interposer_calls(caller, cfa, bytes);
	if (now == REAL_NEW) {
		allocator_start();
		// This comes before the program can load a library by itself.
		next_symbol_start();
	}
	return real_is_on();
}

static inline __attribute__((always_inline)) bool
is_call_on(const struct hook_call *call, size_t bytes)
{
	return is_on(call->at.frame.pc, call->at.frame.sp, bytes);
}

// Quick test: returns true if a block of so many bytes is left out and only needs to be counted. A
// request of the allocator itself is never left out.
static inline __attribute__((always_inline)) bool
passes(size_t bytes)
{
	return SAMPLE_IS_ON && __builtin_expect(real_inside == 0, 1) && sample_passes(bytes);
}

// Returns true if the block belongs to the allocator and was surely never recorded. The thread must
// be one whose blocks may be left out.
static inline __attribute__((always_inline)) bool
is_left_out(const void *block)
{
	return sample_is_unmarked(block) || (block && !boot_owns(block) && sample_left_out(block));
}

// Quick test for a free of a block that was never recorded: returns the thread's sums, in which the
// free only needs to be counted. Returns NULL otherwise, and for frees of the allocator itself and
// of the loader.
static inline __attribute__((always_inline)) struct slot_sample *
release_passes(const void *block, uintptr_t caller)
{
	if (!SAMPLE_IS_ON || !is_left_out(block))
		return NULL;
	if (__builtin_expect(real_inside != 0 || module_loader_calls(caller), 0))
		return NULL;
	return sample_sums();
}

static inline void
release_passed(struct slot_sample *own, void *block)
{
	sample_add(&own->all.frees, 1);
	real.free(block);
}

// Decides whether a block is recorded, and whether it has room for its tag. The allocator will be
// asked for `asked` bytes, of which the program wants `wanted`.
static inline void
choose_asking(struct hook_call *call, size_t wanted, size_t asked)
{
	sample_choose(&call->choice, wanted);
	if (tag_table_takes(asked, call->alignment))
		call->choice.room = 0;
}

static inline void
choose(struct hook_call *call, size_t bytes)
{
	choose_asking(call, bytes, bytes);
}

// Returns how many bytes to ask for beyond what the program wants: room for a tag, if there will be
// one in the block.
static inline size_t
tag_room(const struct hook_call *call)
{
	return call->choice.room;
}

// Returns how many bytes to ask for if the program wants so many. A block of no bytes gives the
// program as many usable bytes as without us.
static inline size_t
room_for(const struct hook_call *call, size_t bytes)
{
	if (tag_room(call) == 0)
		return bytes;
	return (__builtin_expect(bytes > 0, 1) ? bytes : size_of_none) + TAG_BYTES;
}

// mimalloc 2.0 misses the requested alignment for some sizes that are powers of two. Our bytes may
// make a size such a power. With as many bytes again it is none.
enum { ROOM_AGAIN = 2 * TAG_BYTES };

static inline bool
misses(const void *block, size_t alignment)
{
	bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
	return is_power && __builtin_expect(((uintptr_t)block & (alignment - 1)) != 0, 0);
}

// Returns the alignment of a function that has such a parameter. There 0 means no alignment, and
// not malloc()'s.
static inline size_t
given(size_t alignment)
{
	return alignment > 0 ? alignment : SIZE_ODD;
}

// While the real functions are looked up, only the arena can give blocks.
static inline bool
is_booting(void)
{
	return real_state() <= REAL_RESOLVING;
}

// realloc() except for overflow, and malloc_usable_size(), for hooks that do the same under other
// names. The call must be one that is recorded.
void *hook_resize(void *old, size_t bytes, const struct hook_call *call);
size_t hook_usable(void *block, uintptr_t caller, uintptr_t cfa);

// free(), for a call that need not be recorded.
void hook_release(void *block, uintptr_t caller, uintptr_t cfa);

#pragma GCC visibility pop

#endif
