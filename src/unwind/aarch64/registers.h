// SPDX-License-Identifier: BSD-2-Clause
// registers: aarch64's registers, and where they are saved. (DWARF for the Arm 64-bit Architecture,
// section 4.1; Procedure Call Standard for the Arm 64-bit Architecture, section 6.)
//
// Who may call: anyone, at any moment.

#ifndef PMEM_REGISTERS_H
#define PMEM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	// Numbers in call frame information. RA is the return address, x30. PC, the frame's own address,
	// has a number that no expression can name.
	REGISTER_FP = 29,
	REGISTER_SP = 31,
	REGISTER_RA = 30,
	REGISTER_PC = 32,
	// how far the cfa is from sp at a function's first instruction
	REGISTERS_CFA_AT_ENTRY = 0,
	// When a signal handler returns, the stack pointer is at the kernel's struct rt_sigframe. That
	// struct is a siginfo_t of 128 bytes, then a struct ucontext. Its registers begin after 176 bytes
	// and the fault's address (Linux, arch/arm64/include/uapi/asm/ucontext.h and sigcontext.h).
	UNWIND_SIGNAL_REGISTERS = 128 + 176 + 8,
	UNWIND_SIGNAL_FP = UNWIND_SIGNAL_REGISTERS + 29 * 8,
	UNWIND_SIGNAL_LR = UNWIND_SIGNAL_REGISTERS + 30 * 8,
	UNWIND_SIGNAL_SP = UNWIND_SIGNAL_REGISTERS + 31 * 8,
	UNWIND_SIGNAL_PC = UNWIND_SIGNAL_REGISTERS + 32 * 8,
	// bytes inwards of sp that a function may use
	UNWIND_RED_ZONE = 0,
	// The C library's struct pthread ends at the thread pointer.
	REGISTERS_THREAD_IS_BELOW = 1,
	// A word with a return address may have a signature in it.
	REGISTERS_SIGN_CODE = 1,
	// Pages have 4, 16 or 64 KiB, as the kernel was built.
	REGISTERS_PAGES_DIFFER = 1,
};

static inline uintptr_t
registers_thread_pointer(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

// Returns the address that a word with a return address means. If the function has signed the word,
// the word has a signature in its upper bits. The instruction is xpaclri, which removes a signature
// from x30. An older processor executes it as a nop.
static inline uintptr_t
registers_code(uintptr_t word)
{
	register uintptr_t x30 __asm__("x30") = word;
	__asm__("hint #7" : "+r"(x30));
	return x30;
}

// Returns true if a frame may continue at this address. The outermost frame's return address is 0. No
// address of code has any of bits 56 to 63 set, so a word that has is none. Bit 63 is RULE_INTERRUPTED.
static inline bool
registers_may_be_code(uintptr_t address)
{
	return address - 1 < (UINT64_C(1) << 56) - 1;
}

// registers_is_mark() returns true for a letter of a CIE's augmentation that has no field.
// registers_is_signing() returns true for a call frame instruction that only tells how return addresses are
// signed. `B` is the key of the signature, `G` a tagged stack. The instructions are
// DW_CFA_AARCH64_negate_ra_state and its form with the pc.
static inline bool
registers_is_mark(char letter)
{
	return letter == 'B' || letter == 'G';
}

static inline bool
registers_is_signing(uint8_t instruction)
{
	return instruction == 0x2c || instruction == 0x2d;
}

#endif
