// SPDX-License-Identifier: BSD-2-Clause
// start_stack: what the kernel has put on the first thread's stack at the program's start. C
// libraries such as musl do not pass these words to constructors.
//
// Who may call: libc_start() calls start_stack_find(). After that, anyone may read `start_stack`.

#ifndef PMEM_START_STACK_H
#define PMEM_START_STACK_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

// All fields are 0 if the words on the stack do not look as the kernel lays them out.
extern struct start_stack {
	int count; // number of arguments
	char **arguments;
	char **environment;
	uintptr_t began; // where the stack began: the address of the number of arguments
} start_stack;

void start_stack_find(void);

#pragma GCC visibility pop

#endif
