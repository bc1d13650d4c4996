// SPDX-License-Identifier: BSD-2-Clause
// gap: a time in which no snapshot could be written, and why. Without a note in the log, a reader
// would think that nothing happened in that time. The note is written where the gap begins, if
// there is room for a line, and where the gap ends.
//
// Who may call: the one thread that writes a snapshot; log.c in a fork's child. Never allocates.
// Reads the time, and makes no other system call.

#ifndef PMEM_GAP_H
#define PMEM_GAP_H

#include <stdbool.h>

struct text;

// Records that a snapshot could not be written. `error` is -errno of the call that failed. If
// `error` is 0, `words` says why. The first failure begins the gap. Returns true if the log does
// not have the line about the gap's beginning yet.
bool gap_begin(long error, const char *words);

// Each function writes one line, which FORMAT.md describes. gap_write_begin() writes that the gap
// has begun. gap_write_end() writes that the gap is over, or nothing if there is no gap.
void gap_write_begin(struct text *text);
void gap_write_end(struct text *text);

// Records that the file has the line of gap_write_begin().
void gap_told(void);

// Ends the gap: a snapshot has been written, or this process is a fork's child.
void gap_end(void);

#endif
