// SPDX-License-Identifier: BSD-2-Clause
// impossible: live that cannot be.

#ifndef PMEM_CLI_IMPOSSIBLE_H
#define PMEM_CLI_IMPOSSIBLE_H

#include <stdint.h>

#include "trend/findings.h"

// Of a process that runs, or whose log tells of blocks that are freed without its seeing: where its
// small blocks are more than ever was resident, or is swapped out, nothing is judged by live.
// `memory` as in process_result; `resident` by the log.
void impossible_look(struct findings *findings, const struct run *run, double resident,
	uint64_t memory);

#endif
