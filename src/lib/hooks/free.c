// SPDX-License-Identifier: BSD-2-Clause
// free: free() and its kin, and what C++'s operator delete has in common with them. A hook reads
// the block's tag, which has the block's size and source. It wipes the tag, and counts the size as
// freed at that source. Then the real allocator gets the block.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap/real.h"
#include "base/tag.h"
#include "elf/module.h"
#include "heap/size.h"
#include "hooks/record.h"
#include "hooks/hook.h"

// If the block's tag is in the table of tags (tag_table.h), frees the block. Otherwise returns
// false and does nothing.
static __attribute__((noinline)) bool
released_by_table(void *block, uintptr_t cfa)
{
	struct tag tag;

	if (!tag_table_read(block, &tag))
		return false;
	tag_wipe(&tag);
	record_free(&tag, cfa);
	real.free(block);
	return true;
}

// Frees a block in the rare cases. The block's tag is damaged, missing, or in the table. Or the
// allocator must be asked for the block's size. Or the allocator itself frees the block. An address
// without a tag may be no block at all: the real free() reports that.
static __attribute__((noinline)) void
release_odd(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct taken taken;

	if (released_by_table(block, cfa))
		return;
	if (is_on(caller, cfa, 0)) {
		record_take_for_good(block, &taken);
		// If the C++ runtime frees a block without a tag, that is no loss. Our unwinder had called
		// the runtime, which then allocated the block: allocations during that call are not
		// recorded.
		if (taken.was != TAG_NONE || !walk_is_runtime(caller))
			record_gone(&taken, cfa);
	}
	if (!is_booting())
		real.free(block);
}

// If a block of `usable` bytes has an undamaged tag at its end, frees the block. Otherwise returns
// false and does nothing.
static inline __attribute__((always_inline)) bool
released(void *block, size_t usable, uintptr_t cfa)
{
	struct tag tag;

	if (__builtin_expect(!tag_read(block, usable, &tag), 0))
		return false;
	record_wipe(block, &tag);
	sample_count_free();
	record_free(&tag, cfa);
	real.free(block);
	return true;
}

// Frees a block that was not recorded.
static inline __attribute__((always_inline)) void
release_left_out(void *block)
{
	sample_count_free();
	real.free(block);
}

static __attribute__((noinline)) void
release_to_glibc(void *block, uintptr_t caller, uintptr_t cfa)
{
	if (!released(block, glibc_chunk_glance(block), cfa))
		release_odd(block, caller, cfa);
}

static __attribute__((noinline)) void
release_to_other(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct slot *slot = thread_slot;
	size_t usable = __builtin_expect(slot != NULL, 1) ? size_guess(slot, block) : 0;

	if (!released(block, usable, cfa))
		release_odd(block, caller, cfa);
}

// Each branch calls a function that is short, or is not inlined. So each branch saves only the
// registers that it uses itself.
static inline __attribute__((always_inline)) void
release(void *block, uintptr_t caller, uintptr_t cfa)
{
	enum real_state now = real_state();

	if (__builtin_expect(!block || boot_owns(block), 0))
		return;
	if (module_loader_calls(caller))
		__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELEASE);
	if (sample_left_out(block) && (now == REAL_ON || is_on(caller, cfa, 0)))
		release_left_out(block);
	else if (__builtin_expect(now == REAL_ON, 1))
		release_to_glibc(block, caller, cfa);
	else if (__builtin_expect(now == REAL_ON_OTHER, 1))
		release_to_other(block, caller, cfa);
	else if (now == REAL_OFF)
		real.free(block); // the call is only passed on
	else
		release_odd(block, caller, cfa);
}

__attribute__((noinline)) void
hook_release(void *block, uintptr_t caller, uintptr_t cfa)
{
	release(block, caller, cfa);
}

static void
hook_free(void *block)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);
	uintptr_t cfa = GUARD_CFA;
	struct slot_sample *own = release_passes(block, caller);

	if (own)
		release_passed(own, block);
	else if (SAMPLE_IS_ON)
		hook_release(block, caller, cfa);
	else
		release(block, caller, cfa);
}
EXPORT(free, hook_free);
EXPORT(cfree, hook_free);

// C23, 7.24.3.4 and 7.24.3.5. `bytes` is not passed on: if the block has a tag, the real allocator
// was asked for more bytes.
static void
hook_free_sized(void *block, size_t bytes)
{
	(void)bytes;
	release(block, (uintptr_t)__builtin_return_address(0), GUARD_CFA);
}
EXPORT(free_sized, hook_free_sized);

static void
hook_free_aligned_sized(void *block, size_t alignment, size_t bytes)
{
	(void)alignment, (void)bytes;
	release(block, (uintptr_t)__builtin_return_address(0), GUARD_CFA);
}
EXPORT(free_aligned_sized, hook_free_aligned_sized);
