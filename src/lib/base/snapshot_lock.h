// SPDX-License-Identifier: BSD-2-Clause
// snapshot_lock: who holds it writes a snapshot: a try-lock that survives its owner.
//
// Who may call: any thread, by its kernel id. Never allocates; waits only where it is asked to.
// The lock is taken over where its owner's thread is gone (cancelled, or not copied by fork), or
// is the caller itself (it left the locked code by siglongjmp): what it protects is sound wherever
// the work under it was left.

#ifndef PMEM_SNAPSHOT_LOCK_H
#define PMEM_SNAPSHOT_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

// False: it is another's, or `self` is not positive. `patient`: it is waited for, for a second, and
// whoever is not patient does not get it before.
bool snapshot_lock_take(pid_t self, bool patient);

void snapshot_lock_release(void);

bool snapshot_lock_is_held(pid_t self);

#endif
