// SPDX-License-Identifier: BSD-2-Clause
// programs: processes in a few words, by their programs: "20 nginx, 14 postgres, redis-server 4711".

#ifndef PMEM_CLI_PROGRAMS_H
#define PMEM_CLI_PROGRAMS_H

#include <stddef.h>

// A zeroed one has none.
struct programs {
	struct program *programs;
	size_t count, room;
	size_t processes; // in all
};

// One more process. The name is not copied.
void programs_add(struct programs *programs, const char *name, long pid);

// To standard output, without a line's end: those with the most processes first, and how many
// programs have no room. Frees it.
void programs_print(struct programs *programs);

#endif
