// SPDX-License-Identifier: BSD-2-Clause
// registered: finds the bytes of call frame information that was registered with the C++ runtime,
// for code made at run time.
//
// Who may call: any thread, at any moment. Never allocates, never blocks, no state. The information
// lies anywhere in memory, in no loaded object. It consists of two records, an FDE and its CIE. The
// kernel is asked whether these can be read. The caller may read nothing but these two records.

#ifndef PMEM_REGISTERED_H
#define PMEM_REGISTERED_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/object.h"

// Sets `in` to the smallest range that has the FDE at `fde` and its CIE. Returns false if one of
// these records cannot be read, or is larger than the record of any function.
bool registered_bytes(uintptr_t fde, struct segment *in);

#endif
