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

	if (boot_owns(block) || released_by_table(block, cfa))
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

// Counts a free in the rare cases, and frees the block.
static __attribute__((noinline)) void
release_counted_oddly(void *block, uint32_t number, size_t bytes, uintptr_t cfa)
{
	record_odd_free(number, bytes, cfa);
	real.free(block);
}

// Publishes the churn, and frees the block.
static __attribute__((noinline)) void
release_publishing(void *block, struct slot *slot)
{
	record_publish(slot);
	real.free(block);
}

// Counts the free of a block with an undamaged tag, and frees the block. What is rare is a call that
// ends this function. So this function saves no registers.
static inline __attribute__((always_inline)) void
release_tagged(void *block, const struct tag *tag, struct slot *slot, uintptr_t cfa)
{
	record_wipe(block, tag);
	sample_count_free();
	struct counter *counter = record_free_at(slot, tag);
	if (__builtin_expect(!counter, 0)) {
		release_counted_oddly(block, tag->source, tag->bytes, cfa);
		return;
	}
	struct sample_weight weight = record_count_free(counter, tag, cfa);
	if (churn_add_own(slot, weight.bytes, -(int64_t)weight.bytes)) {
		release_publishing(block, slot);
		return;
	}
	guard_leave();
	real.free(block);
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
	struct tag tag;

	if (__builtin_expect(tag_read_narrow(block, glibc_chunk_glance(block), &tag), 1))
		release_tagged(block, &tag, thread_slot, cfa);
	else
		release_odd(block, caller, cfa);
}

static __attribute__((noinline)) void
release_to_other(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct slot *slot = thread_slot;
	struct tag tag;

	if (__builtin_expect(slot && tag_read_narrow(block, size_guess(slot, block), &tag), 1))
		release_tagged(block, &tag, slot, cfa);
	else
		release_odd(block, caller, cfa);
}

// Each branch calls a function that is short, or is not inlined. So each branch saves only the
// registers that it uses itself. No tag is found in a block of the boot arena, so release_odd() gets it.
static inline __attribute__((always_inline)) void
release(void *block, uintptr_t caller, uintptr_t cfa)
{
	enum real_state now = real_state();

	if (__builtin_expect(!block || (SAMPLE_IS_ON && boot_owns(block)), 0))
		return;
	if (module_loader_calls(caller))
		__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELEASE);
	if (sample_left_out(block) && (now == REAL_ON || is_on(caller, cfa, 0)))
		release_left_out(block);
	else if (__builtin_expect(now == REAL_ON, 1))
		release_to_glibc(block, caller, cfa);
	else if (__builtin_expect(now == REAL_ON_OTHER, 1))
		release_to_other(block, caller, cfa);
	else if (now == REAL_OFF && !boot_owns(block))
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
	uintptr_t caller = HOOK_CALLER;
	struct slot_sample *own = release_passes(block, caller);

	if (own) {
		sample_add(&own->all.frees, 1);
		own->free(block);
	} else if (SAMPLE_IS_ON)
		hook_release(block, caller, GUARD_CFA);
	else
		release(block, caller, GUARD_CFA);
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
