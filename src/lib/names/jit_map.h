// SPDX-License-Identifier: BSD-2-Clause
// jit_map: the file in which whatever makes code at run time tells of it. It is a perf map,
// /tmp/perf-PID.map, or without a map a jitdump, jit-PID.dump: its maker maps that as code, wherever
// it lies, for perf to find it.
//
// Who may call: the one thread that writes a snapshot. Never allocates, waits for nobody but a file
// system, keeps errno, is no cancellation point.
//
// Anybody may have put a file there. Only a regular file of our own user is read, and of that what
// was written since the process began: whole lines, and of a dump up to a damaged record.

#ifndef PMEM_JIT_MAP_H
#define PMEM_JIT_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "names/jit_record.h"

struct text;

// When the process begins, also as a fork's child: what lies there by then is another's.
void jit_map_start(pid_t pid);

// Looks for the file. False: there is none. *is_other: it is not that of the last time, and is read
// from its beginning.
bool jit_map_look(bool *is_other);

// When the last look was, in the file's own time: a record with a smaller `when` was made before.
uint64_t jit_map_mark(void);

// Reads on, about so many bytes at most, and gives each piece of code to `take`.
void jit_map_read(uint64_t most, jit_record_taker *take);

// Whether all has been read that was made before the mark, so far as it is written.
bool jit_map_has_read(uint64_t mark);

// Reads the record that stands there once more. False: it is another by now.
bool jit_map_read_again(uint64_t at, uintptr_t start, struct jit_record *record);

enum { JIT_MAP_LINE_BYTES = 512 }; // more than the log's line takes

// Writes which file it is, its bytes and how many of them were read, if the log has not been told.
// Returns whether it has not.
bool jit_map_write(struct text *text);

// The log lost what it was told.
void jit_map_forget_told(void);

#endif
