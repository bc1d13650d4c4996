// SPDX-License-Identifier: BSD-2-Clause
// impossible: detects live memory that cannot be right.

#ifndef PMEM_CLI_IMPOSSIBLE_H
#define PMEM_CLI_IMPOSSIBLE_H

#include <stdint.h>

#include "trend/findings.h"

// Judges nothing by live if the process's small blocks are more than it ever had in memory or
// swapped out. That applies to a running process, and to a log that reports frees past the
// library. `memory` is as in process_result. `resident` is from the log.
void impossible_look(struct findings *findings, const struct run *run, double resident,
	uint64_t memory);

#endif
