// SPDX-License-Identifier: BSD-2-Clause
// programs: lists programs and the number of their processes: "20 nginx, 14 postgres, redis-server
// 4711".

#ifndef PMEM_CLI_PROGRAMS_H
#define PMEM_CLI_PROGRAMS_H

#include <stddef.h>
#include <stdio.h>

#include "report/lines.h"

// A zeroed struct is an empty list.
struct programs {
	struct program *programs;
	size_t count, room;
	size_t processes; // the sum over all programs
};

// Adds one process. The name is not copied.
void programs_add(struct programs *programs, const char *name, long pid);

// Prints the programs without a newline, those with the most processes first. If there are too many
// for a line, prints how many programs are not named. Frees the list.
void programs_print(FILE *to, struct programs *programs);

// Returns "redis-server 4711", the process in which the line leaks, or "12 redis-server together" for a line
// of several processes. The caller frees the text.
char *programs_of_line(const struct report_line *line);

#endif
