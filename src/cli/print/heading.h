// SPDX-License-Identifier: BSD-2-Clause
// heading: what must be known before numbers are: of which processes and snapshots they are,
// what the log lacks and what it is not able to tell. Lines are added to a clip.

#ifndef PMEM_CLI_HEADING_H
#define PMEM_CLI_HEADING_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"
#include "print/clip.h"

// Of a profile all that there is to know.
void heading_add(struct clip *clip, const struct profile *profile);

// Of one process the first line: its program, or, where that is not known, the log's path.
void heading_process(struct clip *clip, const struct run *run, const struct log *log);

// What the log lacks of these runs, a line each: losses and what they mean, what the log notes
// itself, other runs, snapshots that are not there.
void heading_notes(struct clip *clip, const struct profile_run *runs, size_t count);

// Words within a line: "[16] of 2026-11-21 02:55:07Z (exit)", as far as the log has it;
// "live 142 KiB in 566 blocks", "live 142 KiB" of the first pmem's logs.
void heading_moment(struct clip *clip, const struct summary *summary);
void heading_live(struct clip *clip, const struct counts *counts, bool is_seeds);

#endif
