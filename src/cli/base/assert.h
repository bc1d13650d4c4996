// SPDX-License-Identifier: BSD-2-Clause
// assert: what the reader relies on, tried as it runs, in each build: NDEBUG changes nothing.
//
// A condition that does not hold ends the process with EXIT_FAULT and one line, before a wrong
// number is told as if it were right. It is a fault of pmem itself: only what our own code
// guarantees is a condition. A log, a file and a command line may say anything; what is wrong with
// them is a message (message.h).

#ifndef PMEM_CLI_ASSERT_H
#define PMEM_CLI_ASSERT_H

#define ASSERT(condition) \
	(__builtin_expect(!(condition), 0) ? assert_failed(__FILE__, __LINE__, #condition) : (void)0)

// Called where a condition does not hold. What standard output has not been given yet is dropped.
void assert_failed(const char *file, int line, const char *condition) __attribute__((noreturn, cold));

// The log that is read, for the message; NULL: none. It is told with the condition.
extern const char *assert_log;

#endif
