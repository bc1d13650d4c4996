// SPDX-License-Identifier: BSD-2-Clause
// memory_limit: how much memory the process may use. The limit is set by the process's control
// group, or by an outer group with less memory left. If no group has a limit, the machine's memory
// is the limit.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody. Nothing is known if the kernel's files cannot be read.

#ifndef PMEM_MEMORY_LIMIT_H
#define PMEM_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct memory_limit {
	// Bytes in use, and the limit in bytes. `most` is 0 if nothing is known.
	uint64_t used, most;
	// True if no group has a limit. `most` is then the machine's MemTotal, and `used` is MemTotal
	// less MemAvailable (proc(5)).
	bool is_machine;
	// Bytes of swap in use, and how many can be in use at most. In cgroups' second version both
	// numbers are the group's, but `swap_most` is bounded by the machine's free swap. If no group
	// has a limit, both numbers are the machine's. `swap_most` is 0 if there is no swap, or if
	// nothing is known.
	uint64_t swap_used, swap_most;
	uint64_t oom_kills;  // how many of the group's processes the kernel killed because of the limit
};

// Fills in `limit`. Reads nothing within a second of the last look, and sets `most` to 0. A few
// other calls read only the limit itself, the number of kills or the swap. They set `most` to 0,
// too. The first look finds the group, by memory.max of cgroups' second version or
// memory.limit_in_bytes of the first (Linux, Documentation/admin-guide: cgroup-v2.rst,
// cgroup-v1/memory.rst).
void memory_limit_look(struct memory_limit *limit, int64_t monotonic);

// Forgets the group, in a fork's child: the child may be moved to another group.
void memory_limit_fork(void);

#endif
