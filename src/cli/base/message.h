// SPDX-License-Identifier: BSD-2-Clause
// message: what the reader says beside its output: one line to standard error, `pmem: TEXT`; and
// the statuses it ends with.

#ifndef PMEM_CLI_MESSAGE_H
#define PMEM_CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	EXIT_DATA = 1,   // what was read is no good, or output could not be written
	EXIT_USAGE = 2,  // the command line is no good
	EXIT_LEAK = 3,   // `leaks --fail-on`: something leaks
	EXIT_FAULT = 70, // pmem itself is wrong (assert.h); sysexits.h calls it EX_SOFTWARE
	EXIT_SELF = 125, // `run` itself failed: statuses below are the command's, as in env(1)
};

// Prints `pmem: TEXT` to standard error, as one line; a text that ends in ':' goes on with
// what errno says.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// While it is set warn() says nothing: what is read will be read again.
extern bool message_is_quiet;

// The same, then ends the process with the status.
_Noreturn void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Called before a message is written: makes room for it. NULL: nothing stands in its way.
extern void (*message_prepare)(void);

// All of a text to a file descriptor. May be called in a signal handler.
// Waits a second at a time where there is no room and the file would not wait by itself. When
// nobody listens any more the rest is dropped.
void output_write(int fd, const char *text, size_t length);

#endif
