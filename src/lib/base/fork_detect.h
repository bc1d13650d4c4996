// SPDX-License-Identifier: BSD-2-Clause
// fork_detect: finds out whether this process was forked without fork handlers, by _Fork() or
// by a bare clone().
//
// Who may call: any thread. Allocates only one page, at the start; never blocks. The kernel wipes
// that page in every copy of the process's memory (MADV_WIPEONFORK, Linux 4.14). So a wiped page
// shows a new process. In a child of vfork(), which shares the memory, the page is not wiped. With
// a kernel that cannot wipe pages, a process forked without handlers is taken for a child of
// vfork().

#ifndef PMEM_FORK_DETECT_H
#define PMEM_FORK_DETECT_H

#include <stdbool.h>

enum {
	FORK_DETECT_BYTES_MAX = 64 << 10, // upper bound of the page's size on any machine
};

// Called once, by the constructor.
void fork_detect_start(void);

// Returns true once in each forked process, to the first caller.
bool fork_detect_claim(void);

// Returns true if the kernel can wipe the page, so that forks are detected.
bool fork_detect_can_tell(void);

#endif
