// SPDX-License-Identifier: BSD-2-Clause
// cfa: runs the call frame instructions of a CIE and an FDE up to one address.
//
// Who may call: anyone, at any moment, for bytes that can be read: all reading stays inside the
// given ranges. Never allocates, never blocks, no state. (DWARF 5, section 6.4; System V psABI for
// AMD64, section 3.7: rbp is register 6, rsp 7, the return address 16.)
//
// Only the two registers that a step to the caller needs are followed: rbp and the return address.
// Where their values are is not computed. It is described by a register and an offset (struct
// value).

#ifndef PMEM_CFA_H
#define PMEM_CFA_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/dwarf.h"
#include "unwind/expression.h"

// How the caller's value of a register is found.
enum cfa_saving {
	CFA_SAME,      // unchanged
	CFA_SAVED,     // the word at `at`
	CFA_UNDEFINED, // there is no value; for the return address: the outermost frame
	CFA_ELSEWHERE, // the value is found in a way that no rule expresses
};

struct cfa_register {
	enum cfa_saving saving : 8;
	struct value at;
} __attribute__((packed)); // as struct value, for small stacks

// How to find the caller's registers from the frame.
struct cfa_row {
	struct value cfa;
	struct cfa_register fp;
	struct cfa_register ra;
};

struct cfa_program {
	struct dwarf_bytes initial;      // the CIE's instructions
	struct dwarf_bytes instructions; // the FDE's
	uint64_t code_align;
	int64_t data_align;
	uintptr_t start; // first address that the FDE covers, and the one past the last
	uintptr_t end;
	uint8_t address_encoding; // of DW_CFA_set_loc, as DW_EH_PE_*
	bool signal;              // the frame is one that the kernel made to call a signal handler
};

// Finds the row for an address that the FDE covers. Returns false if an instruction is damaged or
// unknown.
bool cfa_run(const struct cfa_program *program, uintptr_t address, struct cfa_row *row);

#endif
