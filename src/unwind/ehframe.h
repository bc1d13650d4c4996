// SPDX-License-Identifier: BSD-2-Clause
// ehframe: finds the call frame information that covers an address in a loaded object.
//
// Who may call: anyone, at any moment, while the object is loaded. Never allocates, never blocks,
// no state. Reads only inside the given segments, and only pages that are mapped, as the kernel
// says. A length or pointer that leads out of the segments counts as damage. (Linux Standard Base
// 5.0 Core, sections 10.6.1 and 10.6.2: .eh_frame and .eh_frame_hdr.)

#ifndef PMEM_EHFRAME_H
#define PMEM_EHFRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/object.h"
#include "unwind/cfa.h"

enum ehframe_result {
	EHFRAME_FOUND,
	EHFRAME_SIGNAL,  // the address is in the code to which a signal handler returns
	EHFRAME_NONE,    // no FDE covers the address
	EHFRAME_DAMAGED, // the FDE or the table of FDEs is damaged, or has an unusual form
};

// Finds the FDE that covers `address`, by the table in .eh_frame_hdr. Sets `program` to the
// instructions of the FDE and its CIE.
enum ehframe_result ehframe_find(
	const struct object_unwind *in, uintptr_t address, struct cfa_program *program);

// Does the same as ehframe_find(), for code made at run time whose FDE was registered with the C++
// runtime. `fde` is the FDE's address. The FDE and its CIE must lie in `in`, and must be readable.
enum ehframe_result ehframe_read(const struct segment *in, uintptr_t fde,
	uintptr_t address, struct cfa_program *program);

#endif
