// SPDX-License-Identifier: BSD-2-Clause
// shared_after_fork: a fork's child shares its {inherited} memory with its parent and its siblings.
// That memory exists once, and counts once.

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

// Returns true if another process of `all` counts what this one has from before its fork. That is
// its parent, or one of its siblings if its parent is not there.
bool shared_after_fork_is_counted(const struct fork_share *all, size_t count, size_t which);

#endif
