// SPDX-License-Identifier: BSD-2-Clause
// tool: runs installed programs, and decides what they get of our environment.

#ifndef PMEM_CLI_TOOL_H
#define PMEM_CLI_TOOL_H

#include <sys/types.h>

// Returns the path of a program in an absolute directory of PATH, or NULL. The caller frees it.
char *tool_find(const char *program);

// Runs a program with these files as its standard input and output, and with no signal blocked or
// ignored. Its environment is ours, in the C locale, without LD_PRELOAD and servers for debug
// files. Its standard error is dropped. Returns 0 or an errno.
int tool_spawn(pid_t *child, const char *path, char *const *arguments, int input, int output);

// Limits a started program's memory and, unless 0, its processor time in seconds.
void tool_limit(pid_t child, unsigned seconds);

// The limit from budget.h; tests set it.
extern unsigned long long tool_bytes;

#endif
