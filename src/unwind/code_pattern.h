// SPDX-License-Identifier: BSD-2-Clause
// code_pattern: what code without call frame information is, by its bytes around a return address.
//
// Who may call: a thread that holds the guard, in a walk. Never allocates, never blocks. Whether the
// bytes can be read is asked of the kernel, which costs more than a step: so what they were is
// remembered, and they are not read again. By then the code may be another: an address that stood
// behind a call once, and stands where a frame's should, is taken for a frame's all the same.

#ifndef PMEM_CODE_PATTERN_H
#define PMEM_CODE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

// Whether a call instruction ends at an address.
bool code_pattern_is_call(uintptr_t pc);

// From sp to the canonical frame address in CPython's trampolines, which keep no frame pointer; 0: it
// is in none. `interrupted`: it did not call there.
unsigned code_pattern_is_trampoline(uintptr_t pc, bool interrupted);

#endif
