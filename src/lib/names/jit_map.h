// SPDX-License-Identifier: BSD-2-Clause
// jit_map: the file in which a program describes the code that it makes at run time. The file is a
// perf map, /tmp/perf-PID.map. Without a perf map, the file is a jitdump, jit-PID.dump, in any
// folder. A program that writes a jitdump also maps it as code, so that perf finds it.
//
// Who may call: the one thread that writes a snapshot. Never allocates, waits for nobody but a
// file system, keeps errno, is no cancellation point.
//
// Any user may have put a file at this path. Only a regular file of our own user is read, and only
// what was written since the process began. A map is read in whole lines, a dump up to a damaged
// record.

#ifndef PMEM_JIT_MAP_H
#define PMEM_JIT_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "names/jit_record.h"

struct text;

// Called when a process begins, also in a fork's child. The bytes that the file has at that moment
// are another process's, and are not read.
void jit_map_start(pid_t pid);

// Looks for the map or the dump. Returns false if there is none. Sets `is_other` to true if the
// last successful call found another file, or if the file was written anew since. The file is then
// read from its beginning.
bool jit_map_look(bool *is_other);

// Returns a mark for the last jit_map_look(). Records that were in the file before that call have a
// smaller `when` (jit_record.h) than the mark.
uint64_t jit_map_mark(void);

// Reads on from where the last call stopped, at most about `most` bytes. Passes each record of a
// piece of code to `take`.
void jit_map_read(uint64_t most, jit_record_taker *take);

// Returns true if every record that is older than the mark, and is written completely, has been
// read.
bool jit_map_has_read(uint64_t mark);

// Reads the record at offset `at` once more. Returns false if the file has another record at this
// offset by now.
bool jit_map_read_again(uint64_t at, uintptr_t start, struct jit_record *record);

enum { JIT_MAP_LINE_BYTES = 512 }; // more than jit_map_write() writes

// Writes the log's line about the file: its inode, its size, how many bytes were read, its path.
// Returns false and writes nothing if the log already has this line.
bool jit_map_write(struct text *text);

// Called when the line that jit_map_write() wrote did not get into the log. The next
// jit_map_write() then writes it again.
void jit_map_forget_told(void);

#endif
