// SPDX-License-Identifier: BSD-2-Clause
// runtime: the C++ runtime, libgcc, with which code made at run time may have registered its call
// frame information.
//
// Who may call: a thread that holds the guard. If code is registered, runtime_find() asks the
// runtime. The runtime may allocate, and waits for the lock that a throw takes. If the runtime's
// data show that nothing is registered, runtime_find() does not ask. The runtime is used only while
// it is known to be loaded.

#ifndef PMEM_RUNTIME_H
#define PMEM_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

// Finds out whether the runtime is loaded. Called once, by the constructor.
void runtime_start(void);

// Decide whether a fork's child may ask the runtime. runtime_before_fork() is called before the
// fork, runtime_fork() in the child. If the parent had other threads, one of these may have held
// the runtime's lock. In the child, which lacks that thread, the lock is then held for ever.
void runtime_before_fork(void);
void runtime_fork(void);

// Returns true if pc is in the runtime. If the runtime called a hook from pc, the runtime may hold
// its own lock.
bool runtime_has(uintptr_t pc);

// Returns the FDE registered for an address in no object. Returns NULL if no FDE is registered for
// the address, or if the runtime must not be asked. For instance, a walk that began in the
// runtime's own code must not ask the runtime. `began` is the return address at which the walk
// began. *began becomes 0 if nothing at all is registered, or if this walk must not ask the
// runtime.
const void *runtime_find(uintptr_t address, uintptr_t *began);

#endif
