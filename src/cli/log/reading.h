// SPDX-License-Identifier: BSD-2-Clause
// reading: a log that is looked through for headers and notes alone: whose it is, and where it goes
// on. At most BUDGET_LOOK_BYTES of it.

#ifndef PMEM_CLI_READING_H
#define PMEM_CLI_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "log/line.h"

enum { READING_LINE_BYTES = 16384 }; // of a line; of what is longer that much is looked at

struct reading {
	FILE *file;
	struct stat status;
	uint64_t bytes;
	char text[READING_LINE_BYTES];
};

// False: there is no such file, or it is not ours to read.
bool reading_begin(struct reading *reading, const char *path);

// The next line, terminated; false: there is none.
bool reading_next(struct reading *reading);

// The next line that is a header; its texts are in the reading's.
bool reading_header(struct reading *reading, struct header *header);

void reading_end(struct reading *reading);

#endif
