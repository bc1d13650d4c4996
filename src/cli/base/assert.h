// SPDX-License-Identifier: BSD-2-Clause
// assert: checks at run time what the reader relies on. It does so in each build: NDEBUG changes
// nothing.
//
// A condition that does not hold ends the process with EXIT_FAULT and one line, before it prints a
// wrong number. Such a failure is a fault of pmem itself: conditions cover only what our own code
// guarantees. A log, a file and a command line may have any contents; errors in them are messages
// (message.h).

#ifndef PMEM_CLI_ASSERT_H
#define PMEM_CLI_ASSERT_H

#define ASSERT(condition) \
	(__builtin_expect(!(condition), 0) ? assert_failed(__FILE__, __LINE__, #condition) : (void)0)

// Called if a condition does not hold. Drops what is still buffered for standard output.
void assert_failed(const char *file, int line, const char *condition) __attribute__((noreturn, cold));

// The log that is being read, for the message; NULL if none.
extern const char *assert_log;

#endif
