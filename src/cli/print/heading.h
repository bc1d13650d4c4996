// SPDX-License-Identifier: BSD-2-Clause
// heading: prints what a reader must know before the numbers: their processes and snapshots, what
// the log lacks, and what it cannot say. It adds lines to a clip.

#ifndef PMEM_CLI_HEADING_H
#define PMEM_CLI_HEADING_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"
#include "print/clip.h"

// Adds everything about a profile.
void heading_add(struct clip *clip, const struct profile *profile);

// Adds the first line for a process: its program, or the log's path if the program is not known.
void heading_process(struct clip *clip, const struct run *run, const struct log *log);

// Adds what the log lacks of these runs, a line each: losses and their meaning, the log's own
// notes, other runs, and missing snapshots.
void heading_notes(struct clip *clip, const struct profile_run *runs, size_t count);

// Add words within a line, as far as the log has them: "[16] of 2026-11-21 02:55:07Z (exit)"; "live
// 142 KiB in 566 blocks", or "live 142 KiB" for the first pmem's logs.
void heading_moment(struct clip *clip, const struct summary *summary);
void heading_live(struct clip *clip, const struct counts *counts, bool is_seeds);

// Adds "mapped 12.0 MiB by the program itself in 3 mappings", within a line.
void heading_mapped(struct clip *clip, const struct counts *mapped);

#endif
