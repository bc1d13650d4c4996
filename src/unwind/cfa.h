// SPDX-License-Identifier: BSD-2-Clause
// cfa: runs the call frame instructions of a CIE and an FDE up to one address.
//
// Who may call: anyone, at any moment, for bytes that can be read: all reading stays inside the
// given ranges. Never allocates, never blocks, no state. (DWARF 5, section 6.4; System V psABI for
// AMD64, section 3.7; DWARF for the Arm 64-bit Architecture.)
//
// cfa follows only fp and the return address: a step to the caller needs no other register. The
// place of a saved register is not an address here. It is described by a register and an offset
// (struct value).

#ifndef PMEM_CFA_H
#define PMEM_CFA_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf.h"
#include "unwind/expression.h"

// How the caller's value of a register is found.
enum cfa_saving {
	CFA_SAME,      // the caller's value is the frame's own value
	CFA_SAVED,     // the caller's value is the word at `at`
	CFA_UNDEFINED, // the value is lost; if it is the return address, the frame is the outermost
	CFA_ELSEWHERE, // no rule can express how the value is found
};

struct cfa_register {
	enum cfa_saving saving : 8;
	struct value at;
} __attribute__((packed)); // packed like struct value, since the stack may be small

// How to find the caller's registers from the frame.
struct cfa_row {
	struct value cfa;
	struct cfa_register fp;
	struct cfa_register ra;
};

struct cfa_program {
	struct dwarf_bytes initial;      // the CIE's instructions
	struct dwarf_bytes instructions; // the FDE's instructions
	uint64_t code_align;
	int64_t data_align;
	// `start` is the first address that the FDE covers. `end` is the first address after it.
	uintptr_t start;
	uintptr_t end;
	uint8_t address_encoding; // how DW_CFA_set_loc writes an address: a DW_EH_PE_* value
	bool signal;              // the kernel made the frame, to call a signal handler
};

// Finds the row for an address that the FDE covers. Returns false if an instruction is damaged or
// unknown.
bool cfa_run(const struct cfa_program *program, uintptr_t address, struct cfa_row *row);

#endif
