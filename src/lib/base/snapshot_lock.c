// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/sys.h"
#include "base/snapshot_lock.h"

enum { PATIENCE_MS = 1000 };

// The kernel ids of two threads; 0 if there is no such thread. Atomic.
static SYS_FORK_PAGE struct {
	pid_t owner;
	// A thread that waits for the lock. Threads that do not wait leave the lock to this thread.
	pid_t first;
} lock;

static bool
is_there(pid_t thread)
{
	return thread != 0 && sys_thread_lives(thread);
}

static bool
try(pid_t self)
{
	pid_t found = __atomic_load_n(&lock.owner, __ATOMIC_ACQUIRE);

	// If this thread owns the lock already, it has left the locked code by siglongjmp(). The thread
	// cannot be nested in that code, since the guard prevents this.
	if (found == self)
		return true;
	if (is_there(found))
		return false;
	return __atomic_compare_exchange_n(
		&lock.owner, &found, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

// Waits for the lock. Busy threads have the lock nearly always, and a thread that only polls would
// never get it. So busy threads do not take the lock while lock.first is set.
static bool
wait(pid_t self)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	bool taken = false;

	for (int i = 0; i < PATIENCE_MS && !taken; i++) {
		// Stored in each round: another waiting thread may have stored its own id here, and 0 when
		// it stopped waiting.
		__atomic_store_n(&lock.first, self, __ATOMIC_RELEASE);
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		taken = try(self);
	}
	pid_t named = self;
	__atomic_compare_exchange_n(
		&lock.first, &named, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	return taken;
}

bool
snapshot_lock_take(pid_t self, bool patient)
{
	if (self <= 0)
		return false;
	if (patient)
		return try(self) || wait(self);
	// The owner itself does not give way to the waiting thread: otherwise nobody would release the
	// lock.
	if (__atomic_load_n(&lock.owner, __ATOMIC_ACQUIRE) != self
		&& is_there(__atomic_load_n(&lock.first, __ATOMIC_ACQUIRE)))
		return false;
	return try(self);
}

void
snapshot_lock_release(void)
{
	__atomic_store_n(&lock.owner, 0, __ATOMIC_RELEASE);
}

bool
snapshot_lock_is_held(pid_t self)
{
	return __atomic_load_n(&lock.owner, __ATOMIC_ACQUIRE) == self;
}
