// SPDX-License-Identifier: BSD-2-Clause
// message: writes the reader's messages to standard error, one line each: `pmem: TEXT`. This module
// also has the exit statuses.

#ifndef PMEM_CLI_MESSAGE_H
#define PMEM_CLI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	EXIT_DATA = 1,   // the data is bad, or output could not be written
	EXIT_USAGE = 2,  // the command line is wrong
	// `leaks --fail-on` and its kin: a process leaks; grows outside of malloc; cannot be judged
	EXIT_LEAK = 3,
	EXIT_OUTSIDE = 4,
	EXIT_UNJUDGED = 5,
	EXIT_FAULT = 70, // pmem itself is wrong (assert.h); EX_SOFTWARE in sysexits.h
	// `pmem run` could not run the command. As in env(1), lower statuses come from the command
	EXIT_SELF = 125,
};

// Prints `pmem: TEXT` to standard error, as one line. If the text ends in ':', strerror(errno)
// follows.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

// While this is true, warn() prints nothing. It is set while data is read for the first of two
// times. The second reading prints the warnings.
extern bool message_is_quiet;

// Prints a message as warn() does, and ends the process with this status.
_Noreturn void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// A function that is called before a message is written. It wipes the line of progress on the
// terminal. NULL until a line of progress was shown.
extern void (*message_prepare)(void);

// Writes the whole text to a file descriptor. May be called in a signal handler. If a non-blocking
// file has no room, waits and tries again. If the reading end is closed, drops the rest.
void output_write(int fd, const char *text, size_t length);

#endif
