// SPDX-License-Identifier: BSD-2-Clause
// assert: checks at run time the conditions on which our code relies. The checks are in each build;
// NDEBUG has no effect.
//
// If a condition does not hold, the process ends with one line and EXIT_FAULT, before it prints
// wrong numbers. The message says that pmem itself is at fault. So assert only what our own code
// guarantees. A log, a file or a command line may have any contents: errors in them are reported by
// messages (message.h).

#ifndef PMEM_CLI_ASSERT_H
#define PMEM_CLI_ASSERT_H

#define ASSERT(condition) \
	(__builtin_expect(!(condition), 0) ? assert_failed(__FILE__, __LINE__, #condition) : (void)0)

// Ends the process because a condition does not hold. Output that is still buffered for standard
// output is dropped.
void assert_failed(const char *file, int line, const char *condition) __attribute__((noreturn, cold));

// Path of the log that is being read, for the message. NULL while no log is read.
extern const char *assert_log;

#endif
