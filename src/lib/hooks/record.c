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

__attribute__((noinline)) uint32_t
record_source_of_lines(struct unwind caller, struct unwind_sum sum)
{
	uint64_t seen = language_hash(&caller, sum);
	return seen ? index_number(stack_alias_get(seen)) : SOURCE_OTHER;
}

// Not inlined, since it needs much stack space: a struct stack holds a whole captured stack.
__attribute__((noinline)) uint32_t
record_new_source(
	struct slot *slot, const struct hook_call *call, struct unwind_sum sum, size_t bytes)
{
	struct stack stack;

	if (thread_state.pauses > 0)
		return thread_state.source;
	uint64_t seen = sum.hash && sum.loop ? language_hash(&call->at.frame, sum) : 0;
	process_id_begin();
	stack_capture(&stack, slot, &call->at, sum.hash);
	const char *operator = operator_begin(&stack);
	if (stack.in_loop)
		language_extend(&stack, &call->at.frame);
	uint32_t source = source_find(&stack, operator ? operator : call->name, bytes);
	if (seen && source != SOURCE_OTHER)
		stack_alias_keep(index_word(seen, source));
	return source;
}

__attribute__((noinline)) void
record_sample(void *block, size_t bytes, const struct hook_call *call)
{
	record_chosen(block, bytes, call);
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

__attribute__((noinline)) struct sample_weight
record_in_table(struct slot *slot, const void *block, uint32_t source, size_t bytes,
	size_t alignment)
{
	struct tag was;

	if (!tag_table_write(block, source, bytes, alignment, &was)) {
		loss_count(LOSS_TAGS_FULL);
		return (struct sample_weight){0, 0};
	}
	if (was.word)
		count_unseen_free(slot, &was);
	CHECK(tag_table_read(block, &was) && was.source == source && was.bytes == bytes);
	thread_count_alloc(slot, source, bytes, 1);
	return sample_weight(source, bytes);
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
	if (!SAMPLE_IS_ON || !block)
		return NULL;
	struct slot_sample *own = sample_sums();
	if (__builtin_expect(own != NULL, 1))
		sample_count_alloc(own, bytes);
	else
		sample_count_alloc_apart(bytes);
	if (!sample_left_out(block))
		record_forget(block);
	return block;
}

__attribute__((noinline)) void
record_learn(void *block, size_t bytes)
{
	if (guard_is_free())
		size_ask(block, bytes, SIZE_TO_ASK);
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

__attribute__((noinline)) void
record_nested_alloc(void *block, size_t bytes, const struct hook_call *call)
{
	uint32_t source = SOURCE_OTHER;

	if (guard_is_internal())
		return;
	if (guard_is_asking() && module_loader_calls(call->at.frame.pc))
		source = source_inside(call, bytes);
	else
		loss_count(LOSS_NESTED);
	record_block(&thread_shared, block, call, source, bytes);
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
	record_churn(slot, weight.bytes, -(int64_t)weight.bytes);
	guard_leave();
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
		&& real_inside == 0)
		loss_count(LOSS_UNTRACKED_FREES);
}
