// SPDX-License-Identifier: BSD-2-Clause
// forked: what fork's children have from before their forks, {inherited}, is there once, and
// counts once.

#ifndef PMEM_CLI_FORKED_H
#define PMEM_CLI_FORKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/run.h"

struct forked {
	const struct run *run;
	uint64_t inherited; // live bytes
};

// Whether what this one of all processes has from before its fork is counted in another one of
// them: its parent, or, where that is not there, one of its siblings.
bool forked_is_counted(const struct forked *all, size_t count, size_t which);

#endif
