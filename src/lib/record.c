#include "loss.h"
#include "snapshot.h"
#include "record.h"

__attribute__((noinline)) void
record_snapshot(enum churn_due due)
{
	static const enum snapshot_reason reasons[] = {
		[CHURN_DUE_THRESHOLD] = SNAPSHOT_CHURN,
		[CHURN_DUE_SIGNAL] = SNAPSHOT_SIGNAL,
		[CHURN_DUE_LOOK] = SNAPSHOT_LOOK,
	};
	snapshot_take(reasons[due]);
}

// Out of line: a stack's worth of stack is used here alone.
__attribute__((noinline)) uint32_t
record_new_source(struct slot *slot, const struct call *call, uint64_t hash)
{
	struct stack stack;
	stack_capture(&stack, slot, &call->at, hash);
	return source_find(&stack, call->name);
}

__attribute__((noinline)) void
record_nested_alloc(void *block, size_t bytes)
{
	if (guard_is_internal()) {
		__atomic_store_n(&real.reached, true, __ATOMIC_RELAXED);
		return;
	}
	loss_count(LOSS_NESTED);
	tag_write(block, real_usable(block), SOURCE_OTHER, bytes);
	thread_count_alloc(&thread_shared, SOURCE_OTHER, bytes);
}
