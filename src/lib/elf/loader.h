// SPDX-License-Identifier: BSD-2-Clause
// loader: the list of loaded objects, visited under the loader's own lock, so that nothing
// on it can be unloaded meanwhile.
//
// Who may call: any thread, at any moment. Never allocates. It waits while another visits or
// changes the list, but not for long: whoever does may wait for us in turn. A fork's child
// may find the lock held by a thread that it does not have, for ever.

#ifndef PMEM_LOADER_H
#define PMEM_LOADER_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	LOADER_BUSY = -1,  // a thread has held the lock for too long, or forks: later, perhaps
	LOADER_STUCK = -2, // nobody will visit or change the list any more
};

// Looks for the lock. Until it was called the list is visited without looking.
void loader_start(void);

// How many objects there were by then, or 0 where the loader does not say.
uint64_t loader_first_count(void);

// From here on visits ask whether an object's program headers are there, page by page: one whose
// headers the program took away has none. What is loaded at the start was just read by the loader.
void loader_ask(void);

// Around fork(): waits until no visit of ours is under way, a second at most, and keeps new
// ones back meanwhile. The C library does not release the lock in the child: whatever that
// loads or unloads would wait for a thread of its parent's.
void loader_before_fork(void);
void loader_after_fork(void);

// In a fork's child, before anything else of it.
void loader_fork(void);

// In a process that was forked without our being told.
void loader_silent_fork(void);

// Around a call that holds some other library's lock: no handler can leave it held, and forks wait
// for it as for a visit. False: a fork has been under way for too long, and there is no call to
// be ended.
bool loader_begin_call(uint64_t *signals);
void loader_end_call(uint64_t signals);

// As dl_iterate_phdr(), or one of the above.
int loader_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context);

#endif
