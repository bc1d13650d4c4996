// SPDX-License-Identifier: BSD-2-Clause
// heading: prints what a reader must know before a table's numbers. It names the processes and
// snapshots of the numbers, and what the log lacks. All functions add text to a clip.

#ifndef PMEM_CLI_HEADING_H
#define PMEM_CLI_HEADING_H

#include <stdbool.h>
#include <stddef.h>

#include "rows/profile.h"
#include "print/clip.h"

// Adds the whole heading of a profile.
void heading_add(struct clip *clip, const struct profile *profile);

// Adds the first line for a process: its program, or the log's path if the program is not known.
// Adds a second line with the process's command if that has arguments.
void heading_process(struct clip *clip, const struct run *run, const struct log *log);

// heading_notes() adds what the logs of these runs lack, in one line each. These are losses and their
// meaning, the log's own notes, other runs that are not counted, and missing snapshots. heading_note() adds
// one such line.
__attribute__((format(printf, 2, 3)))
void heading_note(struct clip *clip, const char *format, ...);
void heading_notes(struct clip *clip, const struct profile_run *runs, size_t count);

// heading_moment() and heading_live() add words to the current line, and leave out numbers that the
// log does not have. heading_moment() adds "[16] of 2026-11-21 02:55:07Z (exit)". heading_live()
// adds "live 142 KiB in 566 blocks", or only "live 142 KiB" for logs of pmem's first version.
void heading_moment(struct clip *clip, const struct summary *summary);
void heading_live(struct clip *clip, const struct counts *counts, bool is_seeds);

// Adds "mapped 12.0 MiB by the program itself in 3 mappings" to the current line.
void heading_mapped(struct clip *clip, const struct counts *mapped);

#endif
