// SPDX-License-Identifier: BSD-2-Clause
// perfmap: the file in which whatever makes code at run time tells of it, if it is asked to:
// /tmp/perf-PID.map, with a line for each range, START SIZE NAME, the numbers in base 16 (Linux,
// tools/perf/Documentation/jit-interface.txt). It grows while the process runs. Where there is none,
// jit-PID.dump (jitdump.h), in /tmp, in the working directory or where the process has it mapped
// (jit_map_path.h).
//
// Who may call: the one thread that writes a snapshot; perfmap_start() and perfmap_fork() as said
// there. Never allocates, waits for nobody but a file system, keeps errno, is no cancellation
// point.
//
// Anybody may have put a file there: only a regular one of our own user is read, by its name and
// not through a link, and of that only what was written since this process began. A line that is
// damaged is passed over; behind a damaged record of a dump nothing is read. A descriptor is looked
// at behind each use, as in file.h.

#ifndef PMEM_PERFMAP_H
#define PMEM_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/codeline.h"

// Looks at what lies there when the process begins: that is another's.
void perfmap_start(pid_t pid);

// In a fork's child, whose file is another. What its parent had open is closed, unless the two may
// share their descriptors.
void perfmap_fork(pid_t pid, int64_t start, bool closes);

// Opens it, if there is one. *anew: it is not the one of the last time, and is read from its
// beginning.
bool perfmap_open(bool *anew);

// What it tells from now on, as of the last time that it was opened, it tells then or later.
uint64_t perfmap_mark(void);

// Whether all has been read that it told before, so far as it is there.
bool perfmap_has_read(uint64_t mark);

// How many bytes it has, as of the last time that it was opened; and how many have been read.
uint64_t perfmap_bytes(void);
uint64_t perfmap_read_bytes(void);

// Reads on, so many bytes at most, whole lines alone, and gives what they tell to `take`. False:
// it is not to be had any more, or not the one that it was.
bool perfmap_read(uint64_t most, codeline_taker *take);

// Reads what stands there once more. False: that is another by now.
bool perfmap_read_again(uint64_t at, uintptr_t start, struct codeline *line);

void perfmap_close(void);

struct text;

// More than the line takes.
enum { PERFMAP_LINE_BYTES = 512 };

// Says which it is, how much it has and how much of that was read, if that is not what the log's
// file was told last. Whether it was not.
bool perfmap_write(struct text *text);

// What was told of it is lost.
void perfmap_forget_told(void);

#endif
