// SPDX-License-Identifier: BSD-2-Clause
// shared_after_fork: a fork's child shares its {inherited} memory with its parent and its siblings.
// The memory exists once, so only one of these processes may count it.

#ifndef PMEM_CLI_SHARED_AFTER_FORK_H
#define PMEM_CLI_SHARED_AFTER_FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

struct fork_share {
	const struct run *run;
	uint64_t inherited; // live bytes of {inherited}
};

// Returns true if another process in `all` counts the {inherited} memory of all[which]. The parent
// of all[which] counts it. If the parent is not in `all`, one of the siblings counts it.
bool shared_after_fork_is_counted(const struct fork_share *all, size_t count, size_t which);

#endif
