// SPDX-License-Identifier: BSD-2-Clause
// registered: where call frame information lies that code made at run time has registered with the
// C++ runtime.
//
// Who may call: any thread, at any moment. Never allocates, never blocks, no state. It lies where
// its maker put it, in no object: only the two records that are needed are known to be readable,
// since the kernel was asked, and only they may be read.

#ifndef PMEM_REGISTERED_H
#define PMEM_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/object.h"

// The bytes from the lower to the end of the higher one of an FDE and its CIE. False when one of
// them cannot be read, or is not of a size that a function's could be.
bool registered_bytes(uintptr_t fde, struct segment *in);

#endif
