// SPDX-License-Identifier: BSD-2-Clause
// registered: finds the call frame information that code made at run time has registered with the
// C++ runtime.
//
// Who may call: any thread, at any moment. Never allocates, never blocks, no state. The
// information lies where its maker put it, in no object. Only the two needed records may be read:
// the kernel was asked about them and no others.

#ifndef PMEM_REGISTERED_H
#define PMEM_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/object.h"

// Finds the bytes from the lower to the end of the higher one of an FDE and its CIE. Returns false
// if one of them cannot be read, or has a size that no function's has.
bool registered_bytes(uintptr_t fde, struct segment *in);

#endif
