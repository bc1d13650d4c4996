// SPDX-License-Identifier: BSD-2-Clause
// snapshot_lock: the lock of the thread that writes a snapshot, a try-lock that survives its
// owner.
//
// Who may call: any thread, by its kernel id. Never allocates; waits only if asked to. The lock is
// taken over if its owner's thread is gone (cancelled, or not copied by fork). It is also taken
// over if its owner is the caller (it left the locked code by siglongjmp). What the lock protects
// is consistent at every point of the work under it.

#ifndef PMEM_SNAPSHOT_LOCK_H
#define PMEM_SNAPSHOT_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

// Returns false if another thread has the lock, or if `self` is not positive. With `patient` it
// waits for up to a second. Meanwhile callers without `patient` do not get the lock.
bool snapshot_lock_take(pid_t self, bool patient);

void snapshot_lock_release(void);

bool snapshot_lock_is_held(pid_t self);

#endif
