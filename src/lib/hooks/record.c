// SPDX-License-Identifier: BSD-2-Clause

#include "base/check.h"
#include "log/process_id.h"
#include "base/loss.h"
#include "elf/module.h"
#include "stacks/stack_alias.h"
#include "stacks/operator.h"
#include "base/thread_state.h"
#include "log/snapshot.h"
#include "language/language.h"
#include "hooks/record.h"

__attribute__((noinline)) void
record_snapshot(enum churn_due due)
{
	static const enum snapshot_reason reasons[] = {
		[CHURN_DUE_THRESHOLD] = SNAPSHOT_CHURN,
		[CHURN_DUE_SIGNAL] = SNAPSHOT_SIGNAL,
		[CHURN_DUE_LOOK] = SNAPSHOT_LOOK,
		[CHURN_DUE_PEAK] = SNAPSHOT_PEAK,
	};
	snapshot_take(reasons[due]);
}

__attribute__((noinline)) void
record_publish(struct slot *slot)
{
	enum churn_due due = churn_publish_slot(slot);
	if (due != CHURN_NOT_DUE)
		record_snapshot(due);
	guard_leave();
}

// Counts churn in the calling thread's slot or in the shared slot. Writes the snapshot, if one is due. Leaves
// the guard. Not inlined: its caller ends with it, and so takes no stack meanwhile.
static __attribute__((noinline)) void
end_with_churn(struct slot *slot, uint64_t bytes, int64_t live)
{
	enum churn_due due = churn_add(slot, bytes, live);
	if (__builtin_expect(due != CHURN_NOT_DUE, 0))
		record_snapshot(due);
	guard_leave();
}

// Captures the stack of a block, and returns the stack's source, a new one if need be. In a pause
// (pmem_pause()) returns the source of the pause. Not inlined, since it needs much stack space: a
// struct stack holds a whole captured stack.
static __attribute__((noinline)) uint32_t
new_source(
	struct slot *slot, const struct hook_call *call, uint64_t hash, uintptr_t loop, size_t bytes)
{
	struct stack stack;

	if (thread_state.pauses > 0)
		return thread_state.source;
	uint64_t seen = hash && loop ? language_hash(&call->at.frame, hash, loop) : 0;
	process_id_begin();
	stack_capture(&stack, slot, &call->at, hash);
	const char *operator = operator_begin(&stack);
	if (stack.in_loop)
		language_extend(&stack, &call->at.frame);
	uint32_t source = source_find(&stack, operator ? operator : call->name, bytes);
	if (seen && source != SOURCE_OTHER)
		stack_alias_keep(index_word(seen, source));
	return source;
}

// Keeps a call's source and counter with its stack's sum. A signal handler may interrupt here and never
// return. So `hook` is cleared first, and set last.
static inline void
keep(struct unwind_sum *sum, uint64_t hook, uint64_t lines, struct counter *counter, uint32_t source)
{
	sum->hook = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	sum->lines = lines;
	sum->counter = counter;
	sum->source = source;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	sum->hook = hook;
}

// Returns the source's counter in the calling thread's own slot. Returns NULL in the shared slot, and if
// there is no room.
static inline struct counter *
counter_of(struct slot *slot, uint32_t source)
{
	struct counter *counter = slot_own_counter(slot, source);
	return counter || slot == &thread_shared ? counter : slot_reach(slot, source);
}

// Returns true if a fork's child is to keep `hook` in place of what its parent has kept. Many children end
// soon, and each page of tails that a child writes is copied. So a child first looks up OTHERS counters.
static inline bool
is_to_keep(struct slot *slot, uint64_t kept, uint64_t hook)
{
	enum { OTHERS = 1024 };

	return (kept ^ hook) >> SLOT_MARK_BIT == 0 || slot->others_looked_up++ >= OTHERS;
}

// Returns the source of a call whose stack has this sum. Sets `counter` to the source's counter in the
// calling thread's own slot, or NULL (counter_of()). Keeps both with the sum, unless the source is new.
static inline __attribute__((always_inline)) uint32_t
source_of(struct slot *slot, const struct hook_call *call, struct unwind_sum *sum, size_t bytes,
	struct counter **counter)
{
	uint64_t hash = PMEM_ORACLE ? 0 : stack_hash(sum, &call->at), lines = 0;
	uint64_t hook = call->at.hook + slot->mark;
	uint32_t source = SOURCE_OTHER;

	if (hash != 0 && sum->loop != 0) {
		lines = language_hash(&call->at.frame, hash, sum->loop);
		hook = ~hook;
	}
	// Sources are the same in a fork's child, whatever slot is marked.
	bool is_kept = (sum->hook ^ hook) << (64 - SLOT_MARK_BIT) == 0 && sum->lines == lines;
	if (is_kept)
		source = sum->source;
	else if (lines != 0)
		source = index_number(stack_alias_get(lines));
	else if (hash != 0 && sum->loop == 0)
		source = source_look_up(hash);
	if (__builtin_expect(source == SOURCE_OTHER, 0)) {
		source = new_source(slot, call, stack_hash(sum, &call->at), sum->loop, bytes);
		*counter = counter_of(slot, source);
		return source;
	}
	*counter = counter_of(slot, source);
	if (*counter && !(is_kept && sum->hook == hook) && is_to_keep(slot, sum->hook, hook))
		keep(sum, hook, lines, *counter, source);
	return source;
}

uint32_t
record_source(struct slot *slot, const struct hook_call *call, size_t bytes)
{
	struct counter *counter;
	return source_of(slot, call, walk_sum(slot, &call->at.frame), bytes, &counter);
}

// Returns true if the allocator itself allocated the source's blocks, by calling its own public
// functions. The allocator then also frees these blocks itself, and our hooks do not see that.
static bool
allocator_asked(const struct source *source)
{
	return !real_is_glibcs() && source->depth > 1 && real_owns_code(source->frames[1].pc);
}

static void
count_unseen_free(struct slot *slot, const struct tag *tag)
{
	struct sample_weight weight = sample_weight(tag->source, tag->bytes);
	uint32_t source = sample_source(tag->source);
	if (!allocator_asked(source_get(source))) {
		loss_count(LOSS_UNSEEN_FREES);
		source_set_unseen(source);
	}
	thread_count_free(slot, source, weight.bytes, weight.calls);
	if (slot != &thread_shared)
		churn_add_first(slot, weight.bytes, -(int64_t)weight.bytes);
}

__attribute__((noinline)) void
record_unseen_free(struct slot *slot, void *block, size_t usable)
{
	struct tag tag;

	if (!tag_read(block, usable, &tag) || sample_source(tag.source) >= source_count())
		return;
	record_wipe(block, &tag);
	count_unseen_free(slot, &tag);
}

// Writes the tag of a new block that has no room for one into the tag table.
static __attribute__((noinline)) struct sample_weight
tag_in_table(struct slot *slot, const void *block, uint32_t source, size_t bytes, size_t alignment)
{
	struct tag was;

	if (!tag_table_write(block, source, bytes, alignment, &was)) {
		loss_count(LOSS_TAGS_FULL);
		return (struct sample_weight){0, 0};
	}
	if (was.word)
		count_unseen_free(slot, &was);
	CHECK(tag_table_read(block, &was) && was.source == source && was.bytes == bytes);
	return sample_weight(source, bytes);
}

// Tags a new block. Returns how much the block stands for, or nothing if it could not be tagged.
static inline __attribute__((always_inline)) struct sample_weight
tag_block(struct slot *slot, void *block, const struct hook_call *call, uint32_t source, size_t bytes)
{
	if (TAG_TABLE_IS_BUILT && __builtin_expect(call->choice.room == 0, 0))
		return tag_in_table(slot, block, source, bytes, call->alignment);
	uint32_t number = sample_number(source, bytes);
	struct sample_weight weight = sample_weight(number, bytes);
	size_t usable = size_of_new(block, bytes + TAG_BYTES, call->alignment);

	if (__builtin_expect(tag_may_remain(block, usable), 0))
		record_unseen_free(slot, block, usable);
	CHECK(usable >= bytes + TAG_BYTES && source < PMEM_SOURCES);
	tag_write(block, usable, number, bytes);
	CHECK(record_tag_is(block, usable, number, bytes));
	sample_mark(block);
	return weight;
}

// Returns the source of a block that the loader allocates while we call an interpreter's function.
// The captured stack has our own frames, too: between the loader's frames and the program's.
static __attribute__((noinline)) uint32_t
source_inside(const struct hook_call *call, size_t bytes)
{
	struct stack stack;

	if (thread_state.pauses > 0)
		return thread_state.source;
	stack_capture_inside(&stack, &call->at);
	return source_find(&stack, call->name, bytes);
}

// Records a block that is allocated while the thread's guard is taken. That happens in a handler
// that interrupted a hook. It also happens in the loader, while a hook asks an interpreter for its
// program's lines.
static __attribute__((noinline)) void
record_nested_alloc(void *block, size_t bytes, const struct hook_call *call)
{
	uint32_t source = SOURCE_OTHER;

	if (guard_is_internal())
		return;
	if (guard_is_asking() && module_loader_calls(call->at.frame.pc))
		source = source_inside(call, bytes);
	else
		loss_count(LOSS_NESTED);
	struct sample_weight weight = tag_block(&thread_shared, block, call, source, bytes);
	thread_count_alloc(&thread_shared, source, weight.bytes, weight.calls);
}

__attribute__((noinline)) void
record_at_length(void *block, size_t bytes, const struct hook_call *call, struct unwind_sum *sum)
{
	if (!sum && !guard_enter(call->at.frame.sp)) {
		record_nested_alloc(block, bytes, call);
		return;
	}
	struct slot *slot = thread_own();
	// A signal handler that interrupted the walk may have forked: in its child the slot has no memo yet.
	if (!sum || !walk_is_ready(slot))
		sum = walk_sum(slot, &call->at.frame);
	struct counter *counter = sum->counter;
	uint32_t source = sum->source;
	if (sum->hook != call->at.hook + slot->mark)
		source = source_of(slot, call, sum, bytes, &counter);
	if (!SAMPLE_IS_ON && counter && call->choice.room > 0
		&& record_common(slot, counter, source, block, bytes, call->alignment))
		return;
	struct sample_weight weight = tag_block(slot, block, call, source, bytes);
	if (counter) {
		thread_count_alloc_at(counter, weight.bytes, weight.calls);
		if (churn_add_own(slot, weight.bytes, (int64_t)weight.bytes))
			record_publish(slot);
		else
			guard_leave();
		return;
	}
	thread_count_alloc(slot, source, weight.bytes, weight.calls);
	end_with_churn(slot, weight.bytes, (int64_t)weight.bytes);
}

__attribute__((noinline)) void
record_forget(void *block)
{
	size_t usable = size_of_given(block);
	struct tag tag;

	if (!tag_read(block, usable, &tag))
		return;
	if (guard_enter(GUARD_CFA)) {
		record_unseen_free(thread_own(), block, usable);
		guard_leave();
	} else {
		record_wipe(block, &tag);
	}
}

__attribute__((noinline)) void *
record_passed(void *block, size_t bytes)
{
	if (!SAMPLE_IS_ON)
		return block;
	// passes() has counted the block: one that could not be had is subtracted again.
	if (!block)
		sample_count_alloc_apart(-UINT64_C(1), -bytes);
	else if (!sample_left_out(block))
		record_forget(block);
	return block;
}

__attribute__((noinline)) void
record_learn(void *block, size_t bytes)
{
	if (guard_is_free())
		size_ask(block, bytes, SIZE_TO_ASK);
}

__attribute__((noinline)) void
record_odd_free(uint32_t number, size_t bytes, uintptr_t cfa)
{
	struct sample_weight weight = sample_weight(number, bytes);
	uint32_t source = sample_source(number);

	if (!guard_enter(cfa)) {
		thread_count_free(&thread_shared, source, weight.bytes, weight.calls);
		return;
	}
	struct slot *slot = thread_own();
	thread_count_free(slot, source, weight.bytes, weight.calls);
	end_with_churn(slot, weight.bytes, -(int64_t)weight.bytes);
}

__attribute__((noinline)) enum tag_state
record_judge(void *block, size_t usable, struct tag *tag)
{
	return tag_judge(block, usable, source_count() * TAG_KINDS, tag);
}

__attribute__((noinline)) void
record_loss(enum tag_state was)
{
	if (was != TAG_NONE)
		loss_count(LOSS_DAMAGED);
	// In three cases a freed block without a tag is no loss. 1. In a build that samples, most
	// blocks have no tag. 2. While sizes are only predicted, tcmalloc's constructor frees a block
	// that it has allocated itself. 3. While a real function runs, a wrapper's realloc() frees the
	// old block, whose tag was already taken.
	else if (!SAMPLE_IS_ON && !guard_is_internal() && !size_class_is_all()
		&& real_thread.inside == 0)
		loss_count(LOSS_UNTRACKED_FREES);
}
