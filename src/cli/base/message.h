// SPDX-License-Identifier: BSD-2-Clause
// message: the reader's messages, one line each to standard error, `pmem: TEXT`; and its exit
// statuses.

#ifndef PMEM_CLI_MESSAGE_H
#define PMEM_CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	EXIT_DATA = 1,   // the data is bad, or output could not be written
	EXIT_USAGE = 2,  // the command line is wrong
	EXIT_LEAK = 3,   // `leaks --fail-on`: a source leaks
	EXIT_FAULT = 70, // pmem itself is wrong (assert.h); EX_SOFTWARE in sysexits.h
	EXIT_SELF = 125, // `run` itself failed; lower statuses are the command's, as in env(1)
};

// Prints `pmem: TEXT` to standard error, as one line. If the text ends in ':', strerror(errno)
// follows.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// While true, warn() prints nothing, because the same data will be read again.
extern bool message_is_quiet;

// Prints the same, then ends the process with the status.
_Noreturn void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Called before a message is written, to make room for it. NULL if nothing is in its way.
extern void (*message_prepare)(void);

// Writes all of a text to a file descriptor. May be called in a signal handler. Waits a second at a
// time if there is no room and the file does not block. Drops the rest if the reading end is
// closed.
void output_write(int fd, const char *text, size_t length);

#endif
