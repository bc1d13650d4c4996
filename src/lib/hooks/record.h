// SPDX-License-Identifier: BSD-2-Clause
// record: what every hook does with a block, after the real allocator gave it and before it gets it
// back. A hook finds the source, writes or reads the tag, and adds to counters and churn. Now and
// then a hook writes a snapshot.
//
// Who may call: a hook, in any thread, at any moment, also in a signal handler. An allocation by a
// handler that interrupts a hook is counted without a stack. Never allocates, never blocks.

#ifndef PMEM_RECORD_H
#define PMEM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/guard.h"
#include "base/tag.h"
#include "heap/tag_table.h"
#include "threads/thread.h"
#include "heap/size.h"
#include "stacks/stack.h"
#include "sources/source.h"
#include "sources/churn.h"
#include "heap/sample.h"

struct hook_call {
	struct stack_call at;
	const char *name; // the hook's name
	size_t alignment; // the requested alignment; 0 for malloc()'s; or SIZE_TO_ASK (size.h)
	struct sample_choice choice; // whether the block is recorded; set once its size is known
};

// Writes the snapshot that is due.
void record_snapshot(enum churn_due due);

// Returns the source of the call, a new one if need be. In a pause (pmem_pause()) returns the source of
// the pause.
uint32_t record_source(struct slot *slot, const struct hook_call *call, size_t bytes);

// Records a new block in all cases. If `sum` is NULL, nothing was done yet. Otherwise the guard is
// entered, and `sum` is what walk_sum() has returned for the call.
void record_at_length(
	void *block, size_t bytes, const struct hook_call *call, struct unwind_sum *sum);

// Publishes the churn of the calling thread's own slot. Then writes the snapshot that is due, if one is,
// and leaves the guard.
void record_publish(struct slot *slot);

// Counts, in `slot`, a free that did not go through our hooks. `block` is a new block from the
// allocator. If it still has a whole tag of ours, an earlier block at this address was freed
// unseen.
void record_unseen_free(struct slot *slot, void *block, size_t usable);

// Returns true if the block's tag can be read back with this source and size.
static inline bool
record_tag_is(void *block, size_t usable, uint32_t source, size_t bytes)
{
	struct tag tag;
	return tag_read(block, usable, &tag) && tag.source == source && tag.bytes == bytes
		&& tag.usable >= bytes && tag.usable <= usable - TAG_BYTES;
}

// Tags and counts a new block if it is a common one, and leaves the guard. Otherwise returns false, and
// does nothing. `counter` is the source's in the calling thread's own slot.
static inline __attribute__((always_inline)) bool
record_common(struct slot *slot, struct counter *counter, uint32_t source, void *block,
	size_t bytes, size_t alignment)
{
	size_t usable;

	if (!size_of_common(block, bytes + TAG_BYTES, alignment, &usable)
		|| tag_may_remain(block, usable))
		return false;
	CHECK(usable >= bytes + TAG_BYTES && source < PMEM_SOURCES);
	CHECK(counter == slot_own_counter(slot, source));
	tag_write(block, usable, source, bytes);
	CHECK(record_tag_is(block, usable, source, bytes));
	thread_count_alloc_at(counter, bytes, 1);
	if (churn_add_own(slot, bytes, (int64_t)bytes))
		record_publish(slot);
	else
		guard_leave();
	return true;
}

// Records a new block that was chosen to be recorded. Does so only if its stack's source is known and the
// block is a common one. The program asked for `bytes`, and the block has TAG_BYTES more. Otherwise returns
// false. record_at_length() must then follow, with `sum`. All that is rare is left to that function, so few
// registers need be saved.
static inline __attribute__((always_inline)) bool
record_at_once(
	void *block, size_t bytes, const struct hook_call *call, struct unwind_sum **sum)
{
	*sum = NULL;
	if (SAMPLE_IS_ON || __builtin_expect(!guard_is_free(), 0))
		return false;
	guard_take_over(call->at.frame.sp);
	// The guard is held while the slot is read. A signal handler that forks leaves its child
	// another slot.
	struct slot *slot = thread_slot;
	if (__builtin_expect(!slot || !walk_is_ready(slot), 0)) {
		guard_leave();
		return false;
	}
	*sum = walk_ready_sum(slot, &call->at.frame);
	return __builtin_expect((*sum)->hook == call->at.hook + slot->mark, 1)
		&& record_common(
			slot, (*sum)->counter, (*sum)->source, block, bytes, call->alignment);
}

// Records a new block that was chosen to be recorded. The program asked for `bytes`. If the tag is
// in the block, the block has TAG_BYTES more.
static inline __attribute__((always_inline)) void
record_chosen(void *block, size_t bytes, const struct hook_call *call)
{
	struct unwind_sum *sum = NULL;

	if (call->choice.room > 0 && record_at_once(block, bytes, call, &sum))
		return;
	struct hook_call copy = *call;
	record_at_length(block, bytes, &copy, sum);
}

// Clears an old tag in a new block that sampling left out. An earlier, recorded block at this
// address may have been freed without our seeing it.
void record_forget(void *block);

// Compares the size in the block's chunk header with malloc_usable_size(). Called until enough
// headers have agreed (glibc_chunk_learn()).
void record_learn(void *block, size_t bytes);

// Handles a new block that sampling left out: clears an old tag in the block. While chunk headers
// are not trusted yet, also compares the block's size with its header.
static inline __attribute__((always_inline)) void
record_left_out(void *block, size_t bytes)
{
	if (!sample_left_out(block))
		record_forget(block);
	if (__builtin_expect(glibc_chunk_layout.is_known && !glibc_chunk_layout.says_size, 0))
		record_learn(block, bytes);
}

static inline __attribute__((always_inline)) void
record_alloc(void *block, size_t bytes, const struct hook_call *call)
{
	if (!SAMPLE_IS_ON) {
		record_chosen(block, bytes, call);
		return;
	}
	sample_count_alloc_apart(1, bytes);
	if (sample_leaves_out(&call->choice)) {
		record_left_out(block, bytes);
		return;
	}
	struct hook_call copy = *call;
	record_at_length(block, bytes, &copy, NULL);
}

// Does the same as record_alloc(), for a real function's result, which may be NULL. Returns that
// result.
static inline __attribute__((always_inline)) void *
recorded(void *block, size_t bytes, const struct hook_call *call)
{
	if (__builtin_expect(block != NULL, 1))
		record_alloc(block, bytes, call);
	return block;
}

// Does the same as passed(), in the rare cases. `block` is NULL. Or the block's page is marked: a
// recorded block begins in it.
void *record_passed(void *block, size_t bytes);

// Handles what the real function returned for a block that passes() has counted. Returns `block`.
static inline __attribute__((always_inline)) void *
passed(void *block, const volatile size_t *bytes)
{
	return __builtin_expect(sample_is_unmarked(block), 1) ? block : record_passed(block, *bytes);
}

// A block that is being freed or resized.
struct taken {
	struct tag tag; // set if `was` is TAG_MENDED or TAG_WHOLE
	enum tag_state was;
	// usable bytes of the block, as the real allocator knows them. 0 if no block is at the address,
	// or if the block's tag is in the table.
	size_t usable;
	void *block;   // the block itself; set only in a build that samples
};

// Judges a tag that is not whole. Either the block was never ours, or the program overwrote its
// end. Not inlined, since both cases are rare.
enum tag_state record_judge(void *block, size_t usable, struct tag *tag);

// Counts the loss if a freed block had no whole tag.
void record_loss(enum tag_state was);

static inline __attribute__((always_inline)) enum tag_state
record_read(void *block, size_t usable, struct tag *tag)
{
	return __builtin_expect(tag_read(block, usable, tag), 1) ? TAG_WHOLE
								  : record_judge(block, usable, tag);
}

// Does the same as record_read(), for a block whose size is not known. The size is guessed. If no
// tag is found at the guessed size, the allocator is asked for the size.
static inline __attribute__((always_inline)) enum tag_state
record_find(void *block, size_t *usable, struct tag *tag)
{
	struct slot *slot = glibc_chunk_layout.says_size ? NULL : thread_slot;

	*usable = glibc_chunk_layout.says_size ? glibc_chunk_glance(block)
		: slot                             ? size_guess(slot, block)
										   : 0;
	if (tag_read(block, *usable, tag))
		return TAG_WHOLE;
	*usable = size_of_given(block);
	enum tag_state was = record_read(block, *usable, tag);
	if (slot && was == TAG_WHOLE)
		size_note(slot, block, *usable);
	return was;
}

static inline void
record_wipe(const void *block, const struct tag *tag)
{
	tag_wipe(tag);
	sample_unmark(block);
}

// Reads the tag of a block that is freed or resized, into `taken`.
static inline __attribute__((always_inline)) void
record_look(void *block, struct taken *taken)
{
	if (SAMPLE_IS_ON)
		taken->block = block;
	if (sample_left_out(block)) {
		taken->was = TAG_NONE;
		taken->usable = 0;
		return;
	}
	// A large block's tag is in the table. Bytes at the block's end that look like a tag are the
	// program's own. So the table is searched before record_find() guesses where the end is.
	taken->usable = glibc_chunk_layout.says_size ? glibc_chunk_glance(block) : 0;
	if (tag_read(block, taken->usable, &taken->tag)) {
		taken->was = TAG_WHOLE;
		return;
	}
	taken->usable = 0;
	taken->was = tag_table_read(block, &taken->tag)
		? TAG_WHOLE : record_find(block, &taken->usable, &taken->tag);
}

// Reads the tag of a block that is freed or resized, and wipes it. The block may soon be another
// thread's. One of record_gone(), record_stays() and record_resized() must follow.
static inline __attribute__((always_inline)) void
record_take(void *block, struct taken *taken)
{
	record_look(block, taken);
	if (taken->was >= TAG_MENDED)
		record_wipe(block, &taken->tag);
}

// Does the same as record_take(), for a block that is passed to free(). If the block is a mapping
// of its own, its tag is not wiped. The tag is unmapped with the block. Wiping might also fault,
// since the program may have made the mapping read-only.
static inline __attribute__((always_inline)) void
record_take_for_good(void *block, struct taken *taken)
{
	record_look(block, taken);
	if (taken->was < TAG_MENDED)
		return;
	if (!tag_table_has(&taken->tag, block) && real_is_glibcs()
		&& glibc_chunk_is_mapping(block))
		sample_unmark(block);
	else
		record_wipe(block, &taken->tag);
}

// Does the same as record_free(), in the rare cases. These are a handler that interrupted a hook,
// and a thread whose slot has no counter of this source.
void record_odd_free(uint32_t number, size_t bytes, uintptr_t cfa);

// Returns the counter in which the calling thread counts the free of a block with this tag. Returns
// NULL in the rare cases.
static inline __attribute__((always_inline)) struct counter *
record_free_at(const struct slot *slot, const struct tag *tag)
{
	return __builtin_expect(slot && guard_is_free(), 1)
		? slot_own_counter(slot, sample_source(tag->source)) : NULL;
}

// Counts a block with this tag as freed, in record_free_at(). Enters the guard; guard_leave() must
// follow.
static inline __attribute__((always_inline)) struct sample_weight
record_count_free(struct counter *counter, const struct tag *tag, uintptr_t cfa)
{
	struct sample_weight weight = sample_weight(tag->source, tag->bytes);
	guard_take_over(cfa);
	thread_count_free_at(counter, weight.bytes, weight.calls);
	return weight;
}

static inline __attribute__((always_inline)) void
record_free(const struct tag *tag, uintptr_t cfa)
{
	struct slot *slot = thread_slot;
	struct counter *counter = record_free_at(slot, tag);
	if (__builtin_expect(!counter, 0)) {
		record_odd_free(tag->source, tag->bytes, cfa);
		return;
	}
	struct sample_weight weight = record_count_free(counter, tag, cfa);
	if (churn_add_own(slot, weight.bytes, -(int64_t)weight.bytes))
		record_publish(slot);
	else
		guard_leave();
}

// Counts a block as freed, after record_take(). `cfa` is the hook's.
static inline __attribute__((always_inline)) void
record_gone(const struct taken *taken, uintptr_t cfa)
{
	sample_count_free();
	if (taken->was >= TAG_MENDED)
		record_free(&taken->tag, cfa);
	if (__builtin_expect(taken->was != TAG_WHOLE, 0))
		record_loss(taken->was);
}

// Does the same as record_gone() for the old block of a resize, before the new block is counted.
// Writes no snapshot, even if one is due: the snapshot would lack the old block and the new one.
// Returns false, and counts nothing, if the thread has no slot of its own or runs a handler. The
// caller must then call record_gone() after the new block is counted.
static inline __attribute__((always_inline)) bool
record_replaced(const struct taken *taken, uintptr_t cfa)
{
	struct slot *slot = thread_slot;
	bool is_usual = slot && slot != &thread_shared && guard_is_free();

	if (taken->was < TAG_MENDED || __builtin_expect(!is_usual, 0))
		return false;
	sample_count_free();
	struct sample_weight weight = sample_weight(taken->tag.source, taken->tag.bytes);
	guard_take_over(cfa);
	thread_count_free(slot, sample_source(taken->tag.source), weight.bytes, weight.calls);
	churn_add_first(slot, weight.bytes, -(int64_t)weight.bytes);
	guard_leave();
	if (__builtin_expect(taken->was != TAG_WHOLE, 0))
		record_loss(taken->was);
	return true;
}

// Called if a resize failed, and the block is as it was. Puts the tag back.
static inline __attribute__((always_inline)) void
record_stays(const struct taken *taken)
{
	if (taken->was >= TAG_MENDED) {
		tag_restore(&taken->tag);
		sample_mark(taken->block);
	}
}

// Records the result of a resize. `block` is the new block, or NULL if the resize failed. Returns
// `block`.
static inline __attribute__((always_inline)) void *
record_resized(
	const struct taken *taken, void *block, size_t bytes, const struct hook_call *call)
{
	if (!block) {
		record_stays(taken);
		return NULL;
	}
	bool counted = record_replaced(taken, call->at.frame.sp);
	record_alloc(block, bytes, call);
	if (!counted)
		record_gone(taken, call->at.frame.sp);
	return block;
}

#endif
