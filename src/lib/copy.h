// copy: whether this process is a copy of another that nobody told us of: made by _Fork() or
// by a bare clone(), without the fork handlers.
//
// Who may call: any thread. Never allocates but one page, at the start; never blocks. The
// kernel is asked to wipe that page in whatever gets a copy of the memory (MADV_WIPEONFORK,
// Linux 4.14). In a child of vfork(), which shares the memory, it is not wiped. Where the
// kernel cannot do this, a copy cannot be told from a child of vfork().

#ifndef PMEM_COPY_H
#define PMEM_COPY_H

#include <stdbool.h>

enum {
	COPY_BYTES_MAX = 64 << 10, // of the page, on whatever machine
};

// Called once, by the constructor.
void copy_start(void);

// True for one caller in each copy, the first.
bool copy_claim(void);

// Whether claims are to be had at all.
bool copy_can_tell(void);

#endif
