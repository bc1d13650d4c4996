#include "sys.h"
#include "lock.h"

bool
lock_try(struct lock *lock, pid_t self)
{
	if (self <= 0)
		return false;
	pid_t owner = __atomic_load_n(&lock->owner, __ATOMIC_ACQUIRE);

	// The guard keeps us from nesting in ourselves, so our own lock is a lost one.
	if (owner == self)
		return true;
	if (owner != 0 && sys_thread_lives(owner))
		return false;
	return __atomic_compare_exchange_n(
		&lock->owner, &owner, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void
lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}
