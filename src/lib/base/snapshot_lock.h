// SPDX-License-Identifier: BSD-2-Clause
// snapshot_lock: the lock of the thread that writes a snapshot. It is a try-lock. Another thread
// can take it over if its owner no longer exists.
//
// Who may call: any thread, by its kernel id. Never allocates; waits only with `patient`. A thread
// takes the lock over if the owner was cancelled, or was not copied by a fork. A caller that owns
// the lock already takes it again: that caller left the locked code by siglongjmp(). The data under
// the lock is consistent at every moment, so a takeover does no harm.

#ifndef PMEM_SNAPSHOT_LOCK_H
#define PMEM_SNAPSHOT_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

// Takes the lock for the thread with the kernel id `self`. Returns false if another thread has the
// lock, or if `self` is not positive. With `patient`, waits for the lock for up to a second.
// Meanwhile callers without `patient` do not get the lock.
bool snapshot_lock_take(pid_t self, bool patient);

void snapshot_lock_release(void);

bool snapshot_lock_is_held(pid_t self);

#endif
