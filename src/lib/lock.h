// lock: a try-lock that survives its owner. Nobody ever waits for it.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks. A lock
// whose owner's thread is gone (cancelled, or not copied by fork), or whose owner is the
// caller itself (it left the locked code by siglongjmp), is taken over: what it protects
// must be sound after any prefix of the work done under it.

#ifndef PMEM_LOCK_H
#define PMEM_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

// 0: free. Else the kernel id of the owning thread.
struct lock {
	pid_t owner;
};

// `self`: the calling thread's id; there is no lock for one that is not positive.
bool lock_try(struct lock *lock, pid_t self);
void lock_release(struct lock *lock);

#endif
