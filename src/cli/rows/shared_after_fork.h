// SPDX-License-Identifier: BSD-2-Clause
// shared_after_fork: what a fork's child has from before its fork, {inherited}, is shared with its
// parent and its siblings. It is in memory once, and counts once.

#ifndef PMEM_CLI_SHARED_AFTER_FORK_H
#define PMEM_CLI_SHARED_AFTER_FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

struct fork_share {
	const struct run *run;
	uint64_t inherited; // live bytes
};

// Whether what this one of all processes has from before its fork is counted in another one of
// them: its parent, or, where that is not there, one of its siblings.
bool shared_after_fork_is_counted(const struct fork_share *all, size_t count, size_t which);

#endif
