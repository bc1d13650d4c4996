// SPDX-License-Identifier: BSD-2-Clause
// memory_limit: how much memory the process may come to: its control group's limit, else what the
// machine has. Of a group and those that contain it, the one with the least memory left counts.
//
// Who may call: the one thread that writes a snapshot; a fork's child. Never allocates, waits for
// nobody. Where the kernel's files cannot be read nothing is known.

#ifndef PMEM_MEMORY_LIMIT_H
#define PMEM_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct memory_limit {
	uint64_t used, most; // bytes; most is 0 where nothing is known
	bool is_machine;     // no group has a limit: MemTotal of proc(5), used without MemAvailable
	uint64_t oom_kills;  // of processes in the group, by its limit
};

// Nothing is told twice in a second. The groups are looked for once: memory.max of cgroups' second
// version, memory.limit_in_bytes of the first (Linux, Documentation/admin-guide: cgroup-v2.rst,
// cgroup-v1/memory.rst).
void memory_limit_look(struct memory_limit *limit, int64_t monotonic);

// In a fork's child, which may be moved to another group.
void memory_limit_fork(void);

#endif
