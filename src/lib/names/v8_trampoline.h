// SPDX-License-Identifier: BSD-2-Clause
// v8_trampoline: the code by which V8 enters its interpreter. Where perf is to see each function that
// it interprets (node --interpreted-frames-native-stack), each has a copy of it, byte for byte the
// same, which V8 tells of as of the function (JS:~f), and which goes when that is compiled. A copy
// calls in a few places alone: elsewhere in it no return address is, but of what a signal interrupts.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Copies are learnt of by
// four that are told of, no two in a row at one place, and are the same; as long as they are not
// known any place may be one of a call.

#ifndef PMEM_V8_TRAMPOLINE_H
#define PMEM_V8_TRAMPOLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/codeline.h"

// Whether what is told is of a function that is interpreted.
bool v8_trampoline_is_told(const struct codeline *told);

// Looks at the code of which that is told, if it is still there.
void v8_trampoline_look(const struct codeline *told);

// Whether a call of a copy that has so many bytes may end at this byte of it.
bool v8_trampoline_may_call(uint32_t bytes, uint32_t at);

#endif
