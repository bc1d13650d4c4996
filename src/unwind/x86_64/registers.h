// SPDX-License-Identifier: BSD-2-Clause
// registers: x86-64's registers, and where they are saved. (System V psABI for AMD64, sections 3.2,
// 3.4.2 and 3.7.)
//
// Who may call: anyone, at any moment.

#ifndef PMEM_REGISTERS_H
#define PMEM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	// Numbers in call frame information. RA is the return address, PC the frame's own address.
	REGISTER_FP = 6,
	REGISTER_SP = 7,
	REGISTER_RA = 16,
	REGISTER_PC = 16,
	// how far the cfa is from sp at a function's first instruction
	REGISTERS_CFA_AT_ENTRY = 8,
	// When a signal handler returns, the stack pointer is at the kernel's struct ucontext. That
	// struct has the interrupted frame's registers, at these offsets (Linux,
	// arch/x86/include/uapi/asm/sigcontext.h).
	UNWIND_SIGNAL_FP = 40 + 10 * 8,
	UNWIND_SIGNAL_SP = 40 + 15 * 8,
	UNWIND_SIGNAL_PC = 40 + 16 * 8,
	// bytes inwards of sp that a function may use
	UNWIND_RED_ZONE = 128,
	// The C library's struct pthread begins at the thread pointer.
	REGISTERS_THREAD_IS_BELOW = 0,
	// A word with a return address may have a signature in it.
	REGISTERS_SIGN_CODE = 0,
	// Every system has pages of 4096 bytes.
	REGISTERS_PAGES_DIFFER = 0,
};

// The word at the thread pointer is the thread pointer itself.
static inline uintptr_t
registers_thread_pointer(void)
{
	uintptr_t pointer;
	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

// Returns the address that a word with a return address means.
static inline uintptr_t
registers_code(uintptr_t word)
{
	return word;
}

// Returns true if a frame may continue at this address. The outermost frame's return address is 0.
static inline bool
registers_may_be_code(uintptr_t address)
{
	return address != 0;
}

// registers_is_mark() returns true for a letter of a CIE's augmentation that has no field.
// registers_is_signing() returns true for a call frame instruction that only tells how return
// addresses are signed. This processor has neither.
static inline bool
registers_is_mark(char letter)
{
	(void)letter;
	return false;
}

static inline bool
registers_is_signing(uint8_t instruction)
{
	(void)instruction;
	return false;
}

#endif
