// SPDX-License-Identifier: BSD-2-Clause
// snapshot_lock: the lock of the thread that writes a snapshot. It is a try-lock, and can be taken
// over from an owner that is gone.
//
// Who may call: any thread, by its kernel id. Never allocates; waits only with `patient`. The lock
// is taken over if its owner's thread is gone (cancelled, or not copied by fork). It is also taken
// over if its owner is the caller (it left the locked code by siglongjmp). The data under the lock
// is consistent at every moment, so a takeover does no harm.

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
