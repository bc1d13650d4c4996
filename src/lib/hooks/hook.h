// SPDX-License-Identifier: BSD-2-Clause
// hook: the parts from which the hooks of this folder are made. A hook is an exported function that
// the program calls instead of the allocator's.
//
// A hook works at any moment: before our constructor, after our destructor, or in a handler that
// interrupted another hook. A hook returns what the real function returned, with the errno that the
// real function left. Our code after the real call keeps errno.

#ifndef PMEM_HOOK_H
#define PMEM_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/guard.h"
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

// Hooks may run before our relocations are done. Hidden names are reached without relocations.
#pragma GCC visibility push(hidden)

// Exports a hook under the allocator's name. The hook itself has another name, which is hidden. So
// &hook_malloc is our address even if the program defines a malloc() of its own.
#define EXPORT(function, hook) \
	extern __typeof__(hook) function \
		__attribute__((alias(#hook), visibility("default"), used))

// Makes a struct hook_call for the call that reached a hook. Must be used in the hook itself, since
// it reads the hook's own frame. CALL_PC is the return address of such a call.
#define CALL_PC ((uintptr_t)__builtin_return_address(0))
// HOOK_CALLER is the same where a hook that jumps begins. On aarch64 CALL_PC takes a signature off x30,
// and so keeps x30 in a frame.
#if defined(__aarch64__) && defined(PMEM_HOOKS_JUMP) && !defined(__ARM_FEATURE_PAC_DEFAULT)
#define HOOK_CALLER ({ uintptr_t x30; __asm__ volatile("mov %0, x30" : "=r"(x30)); x30; })
#else
#define HOOK_CALLER CALL_PC
#endif
#define CALL(function, hook_name) CALL_ALIGNED(function, hook_name, 0)
#define CALL_ALIGNED(function, hook_name, asked_alignment) \
	((struct hook_call){ \
		{(uintptr_t)(function), \
			{CALL_PC, GUARD_CFA, \
				*(const uintptr_t *)__builtin_frame_address(0)}}, \
		hook_name, asked_alignment, SAMPLE_CHOICE})

// If the compiler makes tail calls, a hook may end in a jump to another function. That function
// then has the hook's caller and cfa, and the hook itself needs no frame. If HOOK_GIVES_PLACE is
// true, the hooks of malloc.c end in a jump. It is true only in a build that samples, that is,
// records only some blocks (PMEM_SAMPLE_BYTES).
#ifdef PMEM_HOOKS_JUMP // set by compile.sh
enum { HOOK_GIVES_PLACE = SAMPLE_IS_ON };
#else
enum { HOOK_GIVES_PLACE = false };
#endif

// Returns true if a hook must record the call, false if the hook must only pass the call on. Calls by the
// allocator itself are only passed on. They are recognized by three values: the hook's caller, the hook's
// cfa (canonical frame address), and the requested bytes. A call that requests none has 0. `is_derived` is
// true for calloc(), posix_memalign() and memalign(). If real.asks_first is true, musl makes their blocks
// by another library's functions. If those call us, that call is recorded.
static inline __attribute__((always_inline)) bool
is_on_if(uintptr_t caller, uintptr_t cfa, size_t bytes, bool is_derived)
{
	enum real_state now = real_state();
	if (__builtin_expect(now == REAL_ON, 1))
		return true;
	if (__builtin_expect(now == REAL_ON_OTHER, 1))
		return (__builtin_expect(real_thread.inside == 0, 1) || !interposer_calls(caller, cfa, bytes))
			&& !(is_derived && real.asks_first);
	if (now == REAL_NEW) {
		allocator_start();
		// next_symbol_start() looks for the allocator's definitions, which come after ours. That
		// must happen before the program can load a library by itself.
		next_symbol_start();
	}
	return real_is_on() && !(is_derived && real.asks_first);
}

static inline __attribute__((always_inline)) bool
is_on(uintptr_t caller, uintptr_t cfa, size_t bytes)
{
	return is_on_if(caller, cfa, bytes, false);
}

static inline __attribute__((always_inline)) bool
is_call_on(const struct hook_call *call, size_t bytes)
{
	return is_on(call->at.frame.pc, call->at.frame.sp, bytes);
}

static inline __attribute__((always_inline)) bool
is_derived_on(const struct hook_call *call, size_t bytes)
{
	return is_on_if(call->at.frame.pc, call->at.frame.sp, bytes, true);
}

// Quick test: returns the thread's sums if sampling leaves out a block of `bytes` bytes, else NULL. The block
// is counted here, and gets no stack and no tag (tag.h). passed() must follow. A request by the allocator
// itself is never left out.
static inline __attribute__((always_inline)) struct slot_sample *
passes(size_t bytes)
{
	if (!SAMPLE_IS_ON)
		return NULL;
	struct real_thread own = real_thread_own();
	if (!sample_passes(own, bytes))
		return NULL;
	sample_count_alloc(own.sample, 1, bytes);
	return own.sample;
}

// Returns true if the block was surely never recorded. Returns false for NULL and for blocks of the
// boot arena (boot.h). The answer is valid only in a thread for which sample_sums() is not NULL.
static inline __attribute__((always_inline)) bool
is_left_out(const void *block)
{
	return sample_is_unmarked(block) || (block && !boot_owns(block) && sample_left_out(block));
}

// Quick test for a free. If the block was surely never recorded, returns the thread's sums, in
// which the free must be counted. Returns NULL if the block may have been recorded, or if the
// allocator itself or the loader frees it.
static inline __attribute__((always_inline)) struct slot_sample *
release_passes(const void *block, uintptr_t caller)
{
	if (!SAMPLE_IS_ON || !is_left_out(block))
		return NULL;
	struct real_thread own = real_thread_own();
	if (__builtin_expect(!own.sample, 0) || module_loader_has(&own.sample->loader, caller) || own.inside != 0)
		return NULL;
	return own.sample;
}

// Decides whether a block is recorded, and whether its tag will be in the block or in the table.
// The program wants `wanted` bytes; the allocator will be asked for `asked` bytes.
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

// Returns how many bytes are requested in addition to the program's: TAG_BYTES if the block will
// hold a tag, else 0.
static inline size_t
tag_room(const struct hook_call *call)
{
	return call->choice.room;
}

// Returns how many bytes to ask for if the program wants `bytes`. Even without us, a block of 0 bytes
// has some usable bytes: size_of_none. So for 0 bytes returns size_of_none plus the tag's bytes.
static inline size_t
room_for(const struct hook_call *call, size_t bytes)
{
	if (tag_room(call) == 0)
		return bytes;
	return (__builtin_expect(bytes > 0, 1) ? bytes : size_of_none) + TAG_BYTES;
}

// mimalloc 2.0 does not keep to the requested alignment for some sizes that are powers of two. The program's
// size plus the tag's bytes may be a power of two. If the block misses its alignment, the allocator is asked
// again, for the program's size plus ROOM_AGAIN. That sum is then no power of two.
enum { ROOM_AGAIN = 2 * TAG_BYTES };

static inline bool
misses(const void *block, size_t alignment)
{
	bool is_power = alignment > 0 && (alignment & (alignment - 1)) == 0;
	return is_power && __builtin_expect(((uintptr_t)block & (alignment - 1)) != 0, 0);
}

// Returns the value of struct hook_call's field `alignment` for an alignment that the program
// passed. 0 is no valid alignment, but in the field 0 means malloc()'s alignment. So returns
// SIZE_ODD for 0.
static inline size_t
given(size_t alignment)
{
	return alignment > 0 ? alignment : SIZE_ODD;
}

// Returns true until the real functions are known. Until then only the arena of boot.h can give
// blocks.
static inline bool
is_booting(void)
{
	return real_state() <= REAL_RESOLVING;
}

// Do the work of realloc() and malloc_usable_size(), for hooks of functions with other names. The
// caller of hook_resize() has checked that the size did not overflow. hook_resize() is only for
// calls that are recorded, or if `old` is a block of the boot arena.
void *hook_resize(void *old, size_t bytes, const struct hook_call *call);
size_t hook_usable(void *block, uintptr_t caller, uintptr_t cfa);

// Does the work of free(), for operator delete, and for free() itself in a build that samples.
void hook_release(void *block, uintptr_t caller, uintptr_t cfa);

#pragma GCC visibility pop

#endif
