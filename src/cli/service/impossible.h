// SPDX-License-Identifier: BSD-2-Clause
// impossible: detects that a log's live bytes are too high to be true, because the library missed
// frees.

#ifndef PMEM_CLI_IMPOSSIBLE_H
#define PMEM_CLI_IMPOSSIBLE_H

#include <stdint.h>

#include "trend/findings.h"

// Compares the bytes of live blocks that must be in memory with the most memory that was resident
// and swapped. If the blocks need clearly more, no leak is judged: their verdicts become
// VERDICT_SHORT. This is done only if the process runs, or if the log reports missed frees.
// `memory` is as in struct process_result. `resident` is the resident memory at the log's last
// snapshot, in bytes.
void impossible_look(struct findings *findings, const struct run *run, double resident,
	uint64_t memory);

#endif
