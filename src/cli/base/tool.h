// SPDX-License-Identifier: BSD-2-Clause
// tool: installed programs that we run, and what of our environment is for them.

#ifndef PMEM_CLI_TOOL_H
#define PMEM_CLI_TOOL_H

#include <sys/types.h>

// The path of a program that PATH leads to, by absolute directories; to be freed. NULL: there
// is none.
char *tool_find(const char *program);

// Runs a program, with these files as its standard input and output, and no signal held or
// ignored. Its environment is ours without LD_PRELOAD, in the C locale, and with no server to ask
// for debug files; what it says on standard error goes nowhere. 0, or an errno.
int tool_spawn(pid_t *child, const char *path, char *const *arguments, int input, int output);

// Budgets of a program that was started: its memory and, unless 0, its processor time in seconds.
void tool_limit(pid_t child, unsigned seconds);

// What budget.h says; for tests.
extern unsigned long long tool_bytes;

#endif
