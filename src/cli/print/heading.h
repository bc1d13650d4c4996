// heading: what must be known before a profile's numbers are: of which processes and snapshots
// they are, what the log lacks and what it is not able to tell.

#ifndef PMEM_CLI_HEADING_H
#define PMEM_CLI_HEADING_H

#include "rows/profile.h"

// Prints it to standard output. How many lines that were.
unsigned heading_print(const struct profile *profile);

// Of one process the first line: its program, or, where that is not known, the log's path.
void heading_process(const struct run *run, const char *path);

// A line of what must be known besides.
void heading_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
