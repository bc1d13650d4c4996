// SPDX-License-Identifier: BSD-2-Clause
// loader: visits the list of loaded objects under the loader's own lock. Meanwhile no object on the
// list can be unloaded.
//
// Who may call: any thread, at any moment. Never allocates. Waits while another thread visits or
// changes the list. The wait is limited, since that thread may itself be waiting for ours. A fork
// child may find the lock held for ever by a thread that exists only in the parent.

#ifndef PMEM_LOADER_H
#define PMEM_LOADER_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	// another thread held the lock, or was forking, for too long: a later visit may succeed
	LOADER_BUSY = -1,
	LOADER_STUCK = -2, // the list can never be visited again in this process
};

// Finds the loader's lock. A visit before this call does not check whether the lock is held.
void loader_start(void);

// Returns the number of objects on the list at loader_start(), or 0 if the loader does not say.
uint64_t loader_first_count(void);

// Makes later visits ask the kernel, page by page, whether an object's program headers are mapped.
// An object whose headers the program unmapped is visited without headers. At the start this is not
// needed: the loader has just read all headers.
void loader_ask(void);

// Called around fork(). loader_before_fork() waits at most a second until no visit of ours is under
// way. New visits wait until loader_after_fork() is called. The reason: the C library does not
// release the loader's lock in the child. If a visit held the lock at the fork, a load or unload in
// the child would wait for ever.
void loader_before_fork(void);
void loader_after_fork(void);

// Called in a fork child, before anything else of this module.
void loader_fork(void);

// Called in a process that was forked without our fork handlers.
void loader_silent_fork(void);

// Called around a call that takes another library's lock. Signals are blocked, so no handler can
// jump out of the call and leave the lock held. Forks wait for the call as for a visit.
// loader_begin_call() returns false if a fork has been under way for too long. The caller must then
// make neither the call nor loader_end_call().
bool loader_begin_call(uint64_t *signals);
void loader_end_call(uint64_t signals);

// Calls `step` for each object. Returns what dl_iterate_phdr() returns, or LOADER_BUSY, or
// LOADER_STUCK.
int loader_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context);

#endif
