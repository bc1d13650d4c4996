// SPDX-License-Identifier: BSD-2-Clause
// leaks_whole: the lines on a process as a whole: why it is not judged, what its live memory did, and
// what grows that is in no block.

#ifndef PMEM_CLI_LEAKS_WHOLE_H
#define PMEM_CLI_LEAKS_WHOLE_H

#include "render/leaks_lines.h"

// Returns true if leaks_not_judged_print() says that live memory grows, though no source does.
bool leaks_is_told_of_live(const struct report_process *of);

// Prints what is not judged, and why. Among many processes, prints one line.
void leaks_not_judged_print(struct leaks_lines *out);

// Prints by how much memory grows that is in no block, and what it looks like. leaks_memory_print()
// prints that of malloc's surroundings, and that of files, if they grow.
void leaks_memory_print(struct leaks_lines *out);
void leaks_outside_print(struct leaks_lines *out);
void leaks_files_print(struct leaks_lines *out);

// Prints what live memory did, if nothing leaks.
void leaks_none_print(struct leaks_lines *out);

// Print the lines for a log that is too short to judge any source. leaks_still_print() is for a
// process that has been silent for longer than it was seen to work.
void leaks_short_print(struct leaks_lines *out);
void leaks_still_print(struct leaks_lines *out);

#endif
