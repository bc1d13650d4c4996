// SPDX-License-Identifier: BSD-2-Clause
// gap: for how long nothing could be written, and why. A reader takes silence for rest; so the log
// says where it was none: at its beginning, if there is room for a line, and behind its end.
//
// Who may call: the one thread that writes a snapshot; log.c in a fork's child. Never allocates,
// makes no system call but for the time.

#ifndef PMEM_GAP_H
#define PMEM_GAP_H

#include <stdbool.h>

struct text;

// A snapshot could not be written, for this -errno, or, where that is 0, for these words. The first
// one begins the gap; true: nothing has been told of that yet.
bool gap_begin(long error, const char *words);

// Line by line as FORMAT.md has them: that the gap has begun; and that it is over, if there is one.
void gap_write_begin(struct text *text);
void gap_write_end(struct text *text);

// The first is in the file.
void gap_told(void);

// A snapshot has been written, or the process is another.
void gap_end(void);

#endif
