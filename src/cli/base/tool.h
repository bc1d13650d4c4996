// SPDX-License-Identifier: BSD-2-Clause
// tool: runs installed programs with limits, and decides which environment variables they get.

#ifndef PMEM_CLI_TOOL_H
#define PMEM_CLI_TOOL_H

#include <sys/types.h>

// Looks for a program in the absolute directories of PATH. Returns its path, which the caller
// frees, or NULL.
char *tool_find(const char *program);

// Starts a program with `input` and `output` as its standard input and output. Its standard error
// is dropped. No signal is blocked or ignored in the program. The program gets our environment, but
// with the locale C, and without LD_PRELOAD and the servers for debug files. Returns 0 or an errno.
int tool_spawn(pid_t *child, const char *path, char *const *arguments, int input, int output);

// Limits the memory of a program that was started, and its processor time in seconds. If `seconds`
// is 0, the time is not limited.
void tool_limit(pid_t child, unsigned seconds);

// The memory limit of budget.h, as a variable so that tests can set it.
extern unsigned long long tool_bytes;

#endif
