// SPDX-License-Identifier: BSD-2-Clause
// malloc: the exported malloc family. free() is in free.c, memalign() and its kin in aligned.c, and
// C++'s operators in new_delete.c. An allocator's other functions are in the file of its name.
// Start reading here. A hook calls the real allocator. Then it sets the guard, a flag that says
// that the thread is inside a hook. It captures the stack, and finds the stack's source. It writes
// a tag into the block (tag.h), counts the block, and adds the bytes to the churn. Now and then it
// writes a snapshot.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/guard.h"
#include "base/loss.h"
#include "heap/real.h"
#include "base/tag.h"
#include "sources/source.h"
#include "heap/size.h"
#include "hooks/record.h"
#include "hooks/hook.h"

// Declared here, since CALL() needs the hooks' addresses.
static void *hook_malloc(size_t bytes);
static void *hook_calloc(size_t count, size_t size);
static void *hook_realloc(void *old, size_t bytes);

// Allocates a block whose size is zero, too large for a tag in the block, or larger than any
// memory. In the last case the real malloc() reports the error.
static __attribute__((noinline)) void *
malloc_odd(size_t bytes, struct hook_call call)
{
	if (bytes > BLOCK_BYTES_MAX)
		return real.malloc(bytes);
	if (bytes == 0)
		call.alignment = SIZE_TO_ASK;
	choose(&call, bytes);
	return recorded(real.malloc(room_for(&call, bytes)), bytes, &call);
}

// Allocates a block for which passes() is false. This code is long. In a build that samples
// (PMEM_SAMPLE_BYTES), it is rarely needed. So if HOOK_GIVES_PLACE is true, only malloc_in_place()
// contains this code, and hook_malloc() stays short.
//
// CALL() is used anew where it is needed, so that no register holds the call meanwhile.
static inline __attribute__((always_inline)) void *
malloc_at_length(size_t bytes)
{
	struct sample_choice choice = SAMPLE_CHOICE;
	struct unwind_sum *sum;

	if (!is_on(CALL_PC, GUARD_CFA, bytes))
		return is_booting() ? boot_alloc(0, bytes) : real.malloc(bytes);
	if (!tag_table_leaves(bytes))
		return malloc_odd(bytes, CALL(hook_malloc, "malloc"));
	sample_choose(&choice, bytes);
	void *block = real.malloc(bytes + choice.room);
	if (__builtin_expect(!block, 0) || record_at_once(block, bytes, &CALL(hook_malloc, "malloc"), &sum))
		return block;
	struct hook_call call = CALL(hook_malloc, "malloc");
	call.choice = choice;
	if (SAMPLE_IS_ON)
		record_alloc(block, bytes, &call);
	else
		record_at_length(block, bytes, &call, sum);
	return block;
}

// hook_malloc() ends in a jump to this function. So CALL() finds hook_malloc()'s caller and cfa
// here.
static __attribute__((noinline)) void *
malloc_in_place(size_t bytes)
{
	return malloc_at_length(bytes);
}

// Keeps the size in memory for what is rare: a register would have to be saved first.
static inline __attribute__((always_inline)) void *
malloc_sampled(size_t bytes)
{
	volatile size_t asked = bytes;

	struct slot_sample *own = passes(bytes);
	return own ? passed(own->malloc(bytes), &asked) : malloc_in_place(asked);
}

static void *
hook_malloc(size_t bytes)
{
	return HOOK_GIVES_PLACE ? malloc_sampled(bytes) : malloc_at_length(bytes);
}
EXPORT(malloc, hook_malloc);

static inline __attribute__((always_inline)) void *
calloc_left_out(size_t count, size_t size, size_t bytes, uintptr_t cfa)
{
	uintptr_t outer = real_enter(cfa);
	void *block = real.calloc(count, size);
	real_leave(outer);
	return passed(block, &bytes);
}

static inline __attribute__((always_inline)) void *
calloc_at_length(size_t count, size_t size, struct hook_call call)
{
	size_t bytes;
	bool overflows = __builtin_mul_overflow(count, size, &bytes) || bytes > BLOCK_BYTES_MAX;

	if (!is_derived_on(&call, overflows ? SIZE_MAX : bytes))
		return is_booting() ? boot_alloc(0, overflows ? SIZE_MAX : bytes)
				    : real.calloc(count, size);
	if (overflows)
		return real.calloc(count, size);
	if (bytes == 0)
		call.alignment = SIZE_TO_ASK;
	choose(&call, bytes);
	uintptr_t outer = real_enter(call.at.frame.sp);
	void *block = real.calloc(1, room_for(&call, bytes));
	real_leave(outer);
	return recorded(block, bytes, &call);
}

static __attribute__((noinline)) void *
calloc_in_place(size_t count, size_t size)
{
	return calloc_at_length(count, size, CALL(hook_calloc, "calloc"));
}

static void *
hook_calloc(size_t count, size_t size)
{
	size_t bytes;

	if (SAMPLE_IS_ON && !__builtin_mul_overflow(count, size, &bytes) && !real.asks_first && passes(bytes))
		return calloc_left_out(count, size, bytes, GUARD_CFA);
	if (HOOK_GIVES_PLACE)
		return calloc_in_place(count, size);
	return calloc_at_length(count, size, CALL(hook_calloc, "calloc"));
}
EXPORT(calloc, hook_calloc);

// Resizes a block of the boot arena (boot.h). The arena gives blocks until the real functions are
// known. The new block comes from the real malloc(), or from the arena if the real malloc() is not
// known yet. The arena does not reuse the old block's memory.
static inline __attribute__((always_inline)) void *
resize_boot_block(void *old, size_t bytes, struct hook_call *call)
{
	if (bytes > BLOCK_BYTES_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	bool on = is_call_on(call, bytes);
	if (on)
		choose(call, bytes);
	size_t had = boot_bytes(old);
	void *block = is_booting() ? boot_alloc(0, bytes)
				   : real.malloc(on ? bytes + tag_room(call) : bytes);
	if (block)
		memcpy(block, old, had < bytes ? had : bytes);
	return on ? recorded(block, bytes, call) : block;
}

// Does the work of realloc() while the allocator cannot be asked for a block's size yet, and sizes
// are only predicted (size_class_is_all()). The size of a new block can be predicted, but not the
// size of a block that grows. So the contents are moved to a new block.
static __attribute__((noinline)) void *
move_foretold(void *old, const struct taken *taken, size_t bytes, size_t room)
{
	void *block = real.malloc(bytes + room);
	if (!block)
		return NULL;
	memcpy(block, old, taken->tag.bytes < bytes ? taken->tag.bytes : bytes);
	real.free(old);
	return block;
}

// Does what realloc() does. The `alignment` in `call` must be SIZE_TO_ASK. The size of a resized
// block cannot be predicted, so the allocator is asked for it. The old block's tag is wiped before
// the real call. During that call the block may be freed, and another thread may get it at once. If
// the real call fails, the tag is restored.
static inline __attribute__((always_inline)) void *
resize(void *old, size_t bytes, struct hook_call *call)
{
	struct taken taken;
	void *block;

	if (boot_owns(old))
		return resize_boot_block(old, bytes, call);
	if (bytes > BLOCK_BYTES_MAX)
		return real.realloc(old, bytes);
	choose(call, bytes);
	if (!old) {
		uintptr_t outer = real_enter(call->at.frame.sp);
		block = real.realloc(NULL, room_for(call, bytes));
		real_leave(outer);
		return recorded(block, bytes, call);
	}
	record_take(old, &taken);
	if (size_class_is_all() && taken.was < TAG_MENDED)
		sample_leave_out(&call->choice);
	uintptr_t outer = real_enter(call->at.frame.sp);
	// musl gives a block of no bytes here, as malloc(0) does.
	if (bytes == 0 && !real_is_musls()) {
		block = real.realloc(old, 0);
		real_leave(outer);
		// The old block was freed. If `block` is NULL, there is no new block. Otherwise the real
		// allocator chose the new block's size. If that size has no room for a tag, the new block
		// is not recorded.
		if (block && real.malloc_usable_size(block) >= tag_room(call))
			record_alloc(block, 0, call);
		record_gone(&taken, call->at.frame.sp);
		return block;
	}
	bool moves = taken.was >= TAG_MENDED && size_class_is_all() && tag_room(call) > 0;
	block = __builtin_expect(moves, 0)
		? move_foretold(old, &taken, bytes, tag_room(call))
		: real.realloc(old, bytes + tag_room(call));
	real_leave(outer);
	return record_resized(&taken, block, bytes, call);
}

void *
hook_resize(void *old, size_t bytes, const struct hook_call *call)
{
	struct hook_call copy = *call;
	copy.alignment = SIZE_TO_ASK;
	return resize(old, bytes, &copy);
}

// Resizes a block that was not recorded. The new block is not recorded, either.
static inline __attribute__((always_inline)) void *
resize_left_out(void *old, size_t bytes, uintptr_t cfa)
{
	uintptr_t outer = real_enter(cfa);
	void *block = real.realloc(old, bytes);
	real_leave(outer);
	if (block && old)
		sample_count_free_own();
	return passed(block, &bytes);
}

static inline __attribute__((always_inline)) void *
realloc_at_length(void *old, size_t bytes, struct hook_call call)
{
	if (is_call_on(&call, bytes) || boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : boot_alloc(0, bytes);
	return real.realloc(old, bytes);
}

static __attribute__((noinline)) void *
realloc_in_place(void *old, size_t bytes)
{
	return realloc_at_length(old, bytes, CALL_ALIGNED(hook_realloc, "realloc", SIZE_TO_ASK));
}

static void *
hook_realloc(void *old, size_t bytes)
{
	if (SAMPLE_IS_ON && (!old || sample_is_unmarked(old)) && !size_class_is_all()
		&& passes(bytes))
		return resize_left_out(old, bytes, GUARD_CFA);
	if (HOOK_GIVES_PLACE)
		return realloc_in_place(old, bytes);
	return realloc_at_length(old, bytes, CALL_ALIGNED(hook_realloc, "realloc", SIZE_TO_ASK));
}
EXPORT(realloc, hook_realloc);

static void *
hook_reallocarray(void *old, size_t count, size_t size)
{
	struct hook_call call = CALL_ALIGNED(hook_reallocarray, "reallocarray", SIZE_TO_ASK);
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	if (is_call_on(&call, bytes) || boot_owns(old))
		return resize(old, bytes, &call);
	if (is_booting())
		return old ? NULL : boot_alloc(0, bytes);
	return real.reallocarray(old, count, size);
}
EXPORT(reallocarray, hook_reallocarray);

// Returns the usable size without the tag: the program must not overwrite the tag.
size_t
hook_usable(void *block, uintptr_t caller, uintptr_t cfa)
{
	struct tag tag;

	if (block && boot_owns(block))
		return boot_bytes(block);
	if (!block || !is_on(caller, cfa, SIZE_MAX) || sample_left_out(block))
		return is_booting() ? 0 : real.malloc_usable_size(block);
	if (tag_table_read(block, &tag))
		return size_of_untagged(block);
	size_t usable;
	enum tag_state was = record_find(block, &usable, &tag);
	if (was >= TAG_MENDED && tag.bytes == 0 && tag.usable > size_of_none)
		return size_of_none;
	if (was != TAG_NONE)
		return tag.usable;
	return usable ? usable : real.malloc_usable_size(block);
}

// Has a fast path, since some programs, such as redis, ask for the size of each block. The fast
// path guesses where the block's tag is. If the guess is right, the tag has the size.
static size_t
hook_malloc_usable_size(void *block)
{
	if (SAMPLE_IS_ON && is_left_out(block) && sample_sums())
		return real.malloc_usable_size(block);
	enum real_state now = real_state();
	struct slot *slot = thread_slot;
	struct tag tag;
	size_t usable = 0;

	if (__builtin_expect(now == REAL_ON && block != NULL, 1))
		usable = glibc_chunk_glance(block);
	else if (now == REAL_ON_OTHER && slot && real_thread.inside == 0)
		usable = size_guess(slot, block);
	if (__builtin_expect(!sample_left_out(block) && tag_read(block, usable, &tag) && tag.bytes > 0, 1))
		return tag.usable;
	return hook_usable(
		block, (uintptr_t)__builtin_return_address(0), GUARD_CFA);
}
EXPORT(malloc_usable_size, hook_malloc_usable_size);
