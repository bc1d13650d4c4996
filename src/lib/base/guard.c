// SPDX-License-Identifier: BSD-2-Clause
// The part of the guard that seldom runs. It decides whether a hook's frame still exists.

#include <signal.h>
#include <string.h>

#include "base/guard.h"
#include "base/sys.h"

__thread uintptr_t guard_holder;
enum guard_sight (*guard_search)(uintptr_t);

// The holder is the hook in guard_holder. Returns true if the hook with this cfa lies further out
// on the stack (at a higher address) than the holder. Then the holder's frame no longer exists: a
// hook that is called from within the holder lies further in.
static bool
is_further_out(uintptr_t cfa, uintptr_t holder)
{
	stack_t alternate = {0};

	if (cfa < holder)
		return false;
	// A handler on an alternate signal stack may lie at a higher address and still be nested in the
	// holder.
	if (sys_call2(SYS_sigaltstack, 0, (long)&alternate) < 0)
		return false;
	return !(alternate.ss_flags & SS_ONSTACK);
}

#ifdef __x86_64__

// The return address of the hook in guard_holder, as is_overwritten() first read it.
static __thread uintptr_t noted_return;

// Returns true if the holder's return address has changed since it was noted. On the first call for
// a holder, notes the return address. This address is the word below the cfa (psABI 3.2.2). While
// the frame exists, nothing writes to that word. After a jump out of the frame, other calls
// overwrite the word.
static bool
is_overwritten(uintptr_t holder)
{
	uintptr_t at = holder - sizeof(at);
	uintptr_t now;

	// If the holder's stack is unmapped, the holder's frame no longer exists.
	if (!sys_readable(at))
		return true;
	memcpy(&now, (const void *)at, sizeof(now));
	if (guard_holder & GUARD_NOTED)
		return now != noted_return;
	noted_return = now;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	guard_holder |= GUARD_NOTED;
	return false;
}

#else

static bool
is_overwritten(uintptr_t holder)
{
	(void)holder;
	return false;
}

#endif

bool
guard_abandoned(uintptr_t cfa)
{
	uintptr_t holder = guard_holder & ~GUARD_BITS;

	enum guard_sight (*search)(uintptr_t) = __atomic_load_n(&guard_search, __ATOMIC_ACQUIRE);

	if (guard_is_internal())
		return is_further_out(cfa, holder);
	enum guard_sight seen = search ? search(holder) : GUARD_UNSEEN;
	if (seen != GUARD_UNSEEN)
		return seen == GUARD_GONE;
	return is_further_out(cfa, holder) || is_overwritten(holder);
}
