// record: what every hook does about a block once the real allocator has given it, or
// before it takes it back: source, tag, counters, churn, and now and then a snapshot.
//
// Who may call: a hook, with the call that came to it. Any thread, at any moment, in a
// signal handler too: what interrupts a hook is counted, with nobody's stack. Never
// allocates, never blocks.

#ifndef PMEM_RECORD_H
#define PMEM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard.h"
#include "real.h"
#include "tag.h"
#include "thread.h"
#include "stack.h"
#include "source.h"
#include "churn.h"

struct call {
	struct stack_call at;
	const char *name; // of the hook
};

// Writes the block of the log that is due.
void record_snapshot(enum churn_due due);

// The source of a stack that is not among those known by their hash.
uint32_t record_new_source(struct slot *slot, const struct call *call, uint64_t hash);

// In a handler that interrupted a hook.
void record_nested_alloc(void *block, size_t bytes);

static inline void
record_churn(struct slot *slot, uint64_t bytes)
{
	enum churn_due due = churn_add(slot, bytes);
	if (__builtin_expect(due != CHURN_NOT_DUE, 0))
		record_snapshot(due);
}

// The call is copied for the rare case, so that it need not lie in memory in the others.
static inline __attribute__((always_inline)) uint32_t
record_source(struct slot *slot, const struct call *call)
{
	uint64_t hash = 0;
	if (__builtin_expect(stack_hash(slot, &call->at, &hash) && !PMEM_ORACLE, 1)) {
		uint32_t source = source_look_up(hash);
		if (__builtin_expect(source != SOURCE_OTHER, 1))
			return source;
	}
	struct call copy = *call;
	return record_new_source(slot, &copy, hash);
}

// Tags a new block of at least bytes + TAG_BYTES, and counts it to who asked for it.
static inline __attribute__((always_inline)) void
record_alloc(void *block, size_t bytes, const struct call *call)
{
	if (!guard_enter(call->at.frame.sp)) {
		record_nested_alloc(block, bytes);
		return;
	}
	struct slot *slot = thread_own();
	uint32_t source = record_source(slot, call);
	tag_write(block, real_usable(block), source, bytes);
	thread_count_alloc(slot, source, bytes);
	record_churn(slot, bytes);
	guard_leave();
}

// The same for what the real allocator answered; returns it.
static inline __attribute__((always_inline)) void *
recorded(void *block, size_t bytes, const struct call *call)
{
	if (__builtin_expect(block != NULL, 1))
		record_alloc(block, bytes, call);
	return block;
}

// Counts what the tag of a block says that is on its way back. `cfa` is the hook's.
static inline __attribute__((always_inline)) void
record_free(const struct tag *tag, uintptr_t cfa)
{
	if (!guard_enter(cfa)) {
		thread_count_free(&thread_shared, tag->source, tag->bytes);
		return;
	}
	struct slot *slot = thread_own();
	thread_count_free(slot, tag->source, tag->bytes);
	record_churn(slot, tag->bytes);
	guard_leave();
}

#endif
