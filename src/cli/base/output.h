// output: all of a text to a file descriptor. May be called in a signal handler.

#ifndef PMEM_CLI_OUTPUT_H
#define PMEM_CLI_OUTPUT_H

#include <stddef.h>

// Waits a second at a time where there is no room and the file would not wait by itself. When
// nobody listens any more the rest is dropped.
void output_write(int fd, const char *text, size_t length);

#endif
