// SPDX-License-Identifier: BSD-2-Clause
// reading: reads only headers and notes of a log: to find whose log it is, and where it goes on. It
// reads at most BUDGET_LOOK_BYTES.

#ifndef PMEM_CLI_READING_H
#define PMEM_CLI_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "log/line.h"

enum { READING_LINE_BYTES = 16384 }; // bytes of a line; the rest of a longer line is skipped

struct reading {
	FILE *file;
	struct stat status;
	uint64_t bytes;
	char text[READING_LINE_BYTES];
};

// Returns false if there is no such file, or if we may not read it.
bool reading_begin(struct reading *reading, const char *path);

// Reads the next line and terminates it. Returns false if there is none.
bool reading_next(struct reading *reading);

// Reads up to the next line that is a header. The header's texts point into the reading's own text.
bool reading_header(struct reading *reading, struct header *header);

void reading_end(struct reading *reading);

#endif
