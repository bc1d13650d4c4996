// SPDX-License-Identifier: BSD-2-Clause
// code_pattern: recognizes code without call frame information by its bytes around a return
// address.
//
// Who may call: a thread that holds the guard, in a walk. Never allocates, never blocks. Before
// bytes are read, the kernel is asked whether they can be read. Asking takes longer than one step
// of a walk. So the result for an address is remembered, and the bytes are not read again. If the
// code at the address has changed since, the old result is returned. A walk may then take the
// address for a return address, though only the old code had a call before.

#ifndef PMEM_CODE_PATTERN_H
#define PMEM_CODE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

// Returns true if a call instruction ends at pc.
bool code_pattern_is_call(uintptr_t pc);

// Returns the distance from sp to the canonical frame address if pc is in one of CPython's
// trampolines. These have no frame pointer. Returns 0 for any other pc. `interrupted` is true if a
// signal came at pc: then pc is no return address.
unsigned code_pattern_is_trampoline(uintptr_t pc, bool interrupted);

#endif
