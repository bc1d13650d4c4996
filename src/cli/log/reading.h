// SPDX-License-Identifier: BSD-2-Clause
// reading: reads the headers and notes of a log, without keeping its snapshots. Headers and notes
// say which process wrote the log, and where the log is continued. At most BUDGET_LOOK_BYTES are
// read.

#ifndef PMEM_CLI_READING_H
#define PMEM_CLI_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "log/line.h"

enum { READING_LINE_BYTES = 16384 }; // the longest line; the rest of a longer line is skipped

struct reading {
	FILE *file;
	struct stat status;
	uint64_t bytes;
	char text[READING_LINE_BYTES];
};

// Begins to read a log. Returns false if the file does not exist, or if we may not read it.
bool reading_begin(struct reading *reading, const char *path);

// Reads the next line and terminates it. Returns false after the last line.
bool reading_next(struct reading *reading);

// Reads lines up to and including the next header. The header's texts point into that line, and are
// valid until the next call.
bool reading_header(struct reading *reading, struct header *header);

void reading_end(struct reading *reading);

#endif
