// SPDX-License-Identifier: BSD-2-Clause
// guard: is this thread inside one of our hooks already?
//
// Who may call: any thread, at any moment, in a signal handler too. Never allocates, never blocks,
// cannot fail. The flag is plain initial-exec TLS. It is valid from a thread's first instruction to
// its last, and needs no constructor.
//
// The flag holds the canonical frame address (cfa) of the hook that set it. A signal handler may
// jump out of that hook by siglongjmp(). The hook's frame then no longer exists, but the flag is
// still set. The next hook that this thread calls notices that, so the flag is not set for long.
// The next hook considers the guard free in any of three cases:
// - the next hook's own frame lies further out on the stack;
// - the return address in the old hook's frame has changed since another hook noted it;
// - there is an unwinder, and it finds another frame where the old hook's frame was.

#ifndef PMEM_GUARD_H
#define PMEM_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

// 0 outside of hooks. Inside a hook, the cfa of its frame. A cfa is aligned, so its lowest bits are
// used for three flags. Bit 0: nested calls are our own and not recorded. Bit 1: a nested hook has
// noted the return address below the cfa. Bit 2: the hook is calling a function of an interpreter.
extern __thread uintptr_t guard_holder;

#define GUARD_INTERNAL ((uintptr_t)1)
#define GUARD_NOTED ((uintptr_t)2)
#define GUARD_ASKING ((uintptr_t)4)
#define GUARD_BITS (GUARD_INTERNAL | GUARD_NOTED | GUARD_ASKING)

// The cfa of the function that has this in its body, or that its body is inlined into. On aarch64
// clang's __builtin_dwarf_cfa() is the frame pointer, and its __builtin_sponentry() is the cfa.
#if defined(__clang__) && defined(__aarch64__)
#define GUARD_CFA ((uintptr_t)__builtin_sponentry())
#else
#define GUARD_CFA ((uintptr_t)__builtin_dwarf_cfa())
#endif

// What the unwinder tells about a hook's frame on the calling thread's stack.
enum guard_sight {
	GUARD_UNSEEN, // not known: the unwinder did not get as far as the frame
	GUARD_ALIVE, // the hook, or a function that it called, was interrupted by a signal
	GUARD_GONE,  // another frame is where the hook's frame was
};

// Walks outwards from the caller of this function, and looks for the frame with this cfa. NULL
// without an unwinder. Set once, by stack_start(); atomic.
extern enum guard_sight (*guard_search)(uintptr_t cfa);

// Returns true if the frame in guard_holder cannot exist any more, as seen from a hook with this
// cfa.
bool guard_abandoned(uintptr_t cfa);

static inline bool
guard_is_free(void)
{
	return guard_holder == 0;
}

// Returns false if this thread is inside a hook already. The caller must then not capture a stack
// or write a snapshot. Nor may it touch the data that only a slot's owner writes. After true,
// guard_leave() must follow.
static inline bool
guard_enter(uintptr_t cfa)
{
	if (__builtin_expect(guard_holder != 0, 0) && !guard_abandoned(cfa))
		return false;
	guard_holder = cfa;
	// A signal handler of this thread sees the flag before any change that the flag guards.
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

// Does the same as guard_enter(), for work of our own outside hooks. During that work the C library
// may call hooks on this thread. Those hooks only call the allocator: their blocks are neither
// tagged nor counted.
static inline bool
guard_enter_internal(void)
{
	return guard_enter((uintptr_t)__builtin_frame_address(0) | GUARD_INTERNAL);
}

// Marks, inside a hook, the beginning of a call that may allocate. With GUARD_INTERNAL the
// allocations are our own, and not recorded. With GUARD_ASKING the call is of an interpreter's
// function, and its allocations count as the program's. For example, that function may be the first
// to read thread-local variables of new libraries. Then the loader allocates room for these
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
