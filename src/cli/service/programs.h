// SPDX-License-Identifier: BSD-2-Clause
// programs: names processes in a few words: "20 nginx, 14 postgres, redis-server 4711".

#ifndef PMEM_CLI_PROGRAMS_H
#define PMEM_CLI_PROGRAMS_H

#include <stddef.h>

// All zeros is an empty list.
struct programs {
	struct program *programs;
	size_t count, room;
	size_t processes; // in all
};

// Adds one process. The name is not copied.
void programs_add(struct programs *programs, const char *name, long pid);

// Prints the programs with the most processes first, without a newline, and the number of those
// without room. Frees the list.
void programs_print(struct programs *programs);

#endif
