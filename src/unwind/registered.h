// SPDX-License-Identifier: BSD-2-Clause
// registered: finds the call frame information that code made at run time has registered with the
// C++ runtime.
//
// Who may call: any thread, at any moment. Never allocates, never blocks, no state. The information
// lies anywhere in memory, in no loaded object. So the kernel is asked whether the two records that
// are needed can be read: an FDE and its CIE. Nothing else may be read.

#ifndef PMEM_REGISTERED_H
#define PMEM_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/object.h"

// Sets `in` to the smallest range that has the FDE at `fde` and its CIE. Returns false if one of
// these records cannot be read, or is larger than any function's.
bool registered_bytes(uintptr_t fde, struct segment *in);

#endif
