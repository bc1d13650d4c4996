// SPDX-License-Identifier: BSD-2-Clause
// jit_map: the file in which whatever makes code at run time tells of it: a perf map,
// /tmp/perf-PID.map, which grows while the process runs. Without a map a jitdump, jit-PID.dump: each
// maker maps its first page as code, wherever the file lies, so that perf finds it.
//
// Who may call: the one thread that writes a snapshot; jit_map_start() and jit_map_fork() as said
// there. Never allocates, waits for nobody but a file system, keeps errno, is no cancellation
// point.
//
// Anybody may have put a file there. Only a regular file of our own user is read, and of that only
// what was written since this process began. A damaged line is passed over. Behind a damaged record
// of a dump nothing is read.

#ifndef PMEM_JIT_MAP_H
#define PMEM_JIT_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "names/jit_record.h"

struct text;

// Looks at what lies there when the process begins: that is another's.
void jit_map_start(pid_t pid);

// In a fork's child, whose file is another.
void jit_map_fork(pid_t pid, int64_t start);

// Looks for the file. False: there is none. *is_other: it is not the one there was before, and is
// read from its beginning.
bool jit_map_look(bool *is_other);

// When the last look was, found or not. A record with a smaller `when` was made before.
uint64_t jit_map_mark(void);

// Reads on, about so many bytes at most, and gives each piece of code to `take`. Returns whether it
// has read all.
bool jit_map_read(uint64_t most, void (*take)(const struct jit_record *));

// Reads the record that stands there once more. False: it is another by now.
bool jit_map_read_again(uint64_t at, uintptr_t start, struct jit_record *record);

enum { JIT_MAP_LINE_BYTES = 512 }; // more than the log's line takes

// Writes which file it is, its bytes and how many of them were read, if the log has not been told.
// Returns whether it has not.
bool jit_map_write(struct text *text);

// The log lost what it was told.
void jit_map_forget_told(void);

#endif
