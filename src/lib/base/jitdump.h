// SPDX-License-Identifier: BSD-2-Clause
// jitdump: records of the other file in which whatever makes code at run time tells of it, with the
// code itself and when it was made (Linux, tools/perf/Documentation/jitdump-specification.txt).
//
// Who may call: any thread. Looks at bytes that it is given, and trusts none of them.

#ifndef PMEM_JITDUMP_H
#define PMEM_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/codeline.h"

enum {
	JITDUMP_HEAD_BYTES = 64, // what jitdump_begin() wants to see
};

// Where in the file the records begin. 0: it is none, another process's, or was begun before
// `since`.
uint64_t jitdump_begin(const char *bytes, size_t length, pid_t pid, uint64_t since);

// Gives the pieces of code in records of which the file, of so many bytes, has all, of what stands
// at `at` in it. How many bytes these have, which may be more than were given; 0: none is whole, or
// it is damaged. *told: when the last of them was.
size_t jitdump_take(const char *bytes, size_t length, uint64_t at, uint64_t file_bytes,
	codeline_taker *take, uint64_t *told);

// The one that stands there. False: it tells of no code. Where code was moved to, it has no name.
bool jitdump_read(const char *bytes, size_t length, uint64_t at, struct codeline *line);

#endif
