// SPDX-License-Identifier: BSD-2-Clause
// runtime: the C++ runtime, libgcc, with which code made at run time may have registered its call
// frame information.
//
// Who may call: a thread that holds the guard. Where anything is registered it asks the runtime,
// which may allocate, and waits for the lock that a throw takes; where nothing is, which its data
// show, it does neither. The runtime is only used while it is known to be loaded.

#ifndef PMEM_RUNTIME_H
#define PMEM_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

// Learns whether it is there. Called once, by the constructor.
void runtime_start(void);

// Before a fork, and in its child: whether it may be asked there. Its lock may be held for ever in
// a copy of a process that has other threads.
void runtime_before_fork(void);
void runtime_fork(void);

// Whether it is its code, which allocates while it holds its lock.
bool runtime_has(uintptr_t pc);

// What is registered for an address in no object: an FDE; NULL: nothing, or it is not to be asked,
// as in the middle of itself. `began` is the return address at which the walk began; it becomes 0
// where nothing is registered at all, or while this walk lasts the runtime is not to be asked.
const void *runtime_find(uintptr_t address, uintptr_t *began);

#endif
