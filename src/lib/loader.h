// loader: the list of loaded objects, visited under the loader's own lock, so that nothing
// on it can be unloaded meanwhile.
//
// Who may call: any thread, at any moment. Never allocates. It waits while another visits or
// changes the list, but not for long: who visits it may wait for us in turn. A fork's child
// may find the lock held by a thread that it does not have, for ever.

#ifndef PMEM_LOADER_H
#define PMEM_LOADER_H

#include <link.h>

enum {
	LOADER_BUSY = -1,  // another thread has held the lock for too long: later, perhaps
	LOADER_STUCK = -2, // nobody will visit or change the list any more
};

// Looks for the lock. Until it was called the list is visited without looking.
void loader_start(void);

// In a fork's child, before anything else of it.
void loader_fork(void);

// As dl_iterate_phdr(), or one of the above.
int loader_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context);

#endif
