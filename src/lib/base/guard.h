// SPDX-License-Identifier: BSD-2-Clause
// guard: is this thread inside one of our hooks already?
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never
// blocks, cannot fail. The flag is plain initial-exec TLS: valid from a thread's first
// instruction to its last, with nothing to construct or destroy.
//
// The flag holds the canonical frame address (cfa) of the hook that set it. A signal handler may
// leave that hook by siglongjmp(), with the flag set. The next hook takes that frame for gone in
// three cases. The next hook's own frame lies further out. Or the return address of that frame has
// changed since another hook noted it. Or, where there is an unwinder, another frame lies in its
// place. So no jump leaves the flag set for long.

#ifndef PMEM_GUARD_H
#define PMEM_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

// 0 outside of hooks. Inside, the cfa of the hook's frame, with three flags in the lowest bits,
// since a cfa is aligned. Bit 0: nested calls are our own and not recorded. Bit 1: a nested hook
// has noted the return address below the cfa. Bit 2: an interpreter is being asked.
extern __thread uintptr_t guard_holder;

#define GUARD_INTERNAL ((uintptr_t)1)
#define GUARD_NOTED ((uintptr_t)2)
#define GUARD_ASKING ((uintptr_t)4)
#define GUARD_BITS (GUARD_INTERNAL | GUARD_NOTED | GUARD_ASKING)

// What the calling stack shows of a hook's frame.
enum guard_sight {
	GUARD_UNSEEN,
	GUARD_ALIVE, // a signal interrupted it, or what it called
	GUARD_GONE,  // another frame is in its place
};

// Looks for the frame with this cfa, from its caller's frame outwards. NULL without an unwinder.
// Set once, by stack_start(); atomic.
extern enum guard_sight (*guard_search)(uintptr_t cfa);

// Returns true if the holder's frame cannot exist any more, as seen from a hook with this cfa.
bool guard_abandoned(uintptr_t cfa);

static inline bool
guard_is_free(void)
{
	return guard_holder == 0;
}

// Returns false if this thread is inside a hook already. The caller must then not touch the
// slot owner's data, capture a stack, or write a snapshot. After true, guard_leave() must
// follow.
static inline bool
guard_enter(uintptr_t cfa)
{
	if (__builtin_expect(guard_holder != 0, 0) && !guard_abandoned(cfa))
		return false;
	guard_holder = cfa;
	// For signal handlers of this thread: the flag is seen before what it guards.
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

// Enters without a check, even if the thread is inside already. For exit(): if a signal handler
// calls exit(), the hook that the handler interrupted never continues.
static inline void
guard_take_over(uintptr_t cfa)
{
	guard_holder = cfa;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void
guard_leave(void)
{
	CHECK(guard_holder != 0);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	guard_holder = 0;
}

static inline bool
guard_is_internal(void)
{
	return guard_holder & GUARD_INTERNAL;
}

static inline bool
guard_is_asking(void)
{
	return guard_holder & GUARD_ASKING;
}

// Returns the return address of the hook that is inside, which x86-64 has below the cfa.
// Returns 0 if no hook is inside, or if our own work is.
static inline uintptr_t
guard_caller(void)
{
	uintptr_t cfa = guard_holder & ~GUARD_BITS;

	return cfa == 0 || guard_is_internal() ? 0 : ((const uintptr_t *)cfa)[-1];
}

// As guard_enter(), for work of our own outside hooks. What the C library allocates meanwhile on
// this thread is only passed on, untagged and uncounted.
static inline bool
guard_enter_internal(void)
{
	return guard_enter((uintptr_t)__builtin_frame_address(0) | GUARD_INTERNAL);
}

// Marks, inside a hook, a call that may allocate. GUARD_INTERNAL: the allocations are our own, and
// not recorded. GUARD_ASKING: they are the program's. An interpreter's function may be the first to
// read thread-local variables after libraries were loaded. Then the loader allocates room for these
// variables. Returns the argument for guard_end().
static inline uintptr_t
guard_begin(uintptr_t bit)
{
	uintptr_t holder = guard_holder;
	guard_holder = holder | bit;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return holder;
}

static inline void
guard_end(uintptr_t holder)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	guard_holder = holder;
}

#endif
