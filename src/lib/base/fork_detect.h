// SPDX-License-Identifier: BSD-2-Clause
// fork_detect: whether this process was made from another without our being told: by _Fork() or by
// a bare clone(), which run no fork handlers.
//
// Who may call: any thread. Never allocates but one page, at the start; never blocks. The
// kernel is asked to wipe that page in whatever gets a copy of the memory (MADV_WIPEONFORK,
// Linux 4.14). In a child of vfork(), which shares the memory, it is not wiped. Where the
// kernel cannot do this, such a process cannot be told from a child of vfork().

#ifndef PMEM_FORK_DETECT_H
#define PMEM_FORK_DETECT_H

#include <stdbool.h>

enum {
	FORK_DETECT_BYTES_MAX = 64 << 10, // of the page, on whatever machine
};

// Called once, by the constructor.
void fork_detect_start(void);

// True for one caller in each such process, the first.
bool fork_detect_claim(void);

// Whether claims are to be had at all.
bool fork_detect_can_tell(void);

#endif
