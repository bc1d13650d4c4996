// SPDX-License-Identifier: BSD-2-Clause
// call: recognizes call instructions.
//
// Who may call: anyone, at any moment. Reads only the bytes that it is given.

#ifndef PMEM_CALL_H
#define PMEM_CALL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	CALL_BYTES_MAX = 7,
	// Opcode of x86-64's call to an address relative to the next instruction.
	CALL_OFFSET = 0xe8,
	CALL_OFFSET_BYTES = 5,
};

#ifdef __x86_64__

// Returns true if these `length` bytes are a call through a register or through memory. Such a call
// is FF /2, then ModR/M, SIB and displacement (Intel SDM volume 2, CALL).
static inline bool
call_is_indirect(const uint8_t *call, int length)
{
	unsigned mode = call[1] >> 6;
	unsigned base = call[1] & 7;
	int wanted = 2;

	if (call[0] != 0xff || (call[1] >> 3 & 7) != 2)
		return false;
	if (mode != 3 && base == 4)
		wanted++; // SIB
	if (mode == 1)
		wanted += 1;
	else if (mode == 2 || (mode == 0 && base == 5)
		|| (mode == 0 && base == 4 && length == CALL_BYTES_MAX && (call[2] & 7) == 5))
		wanted += 4;
	return wanted == length;
}

// Returns true if a call instruction may end right before `here`. Reads the CALL_BYTES_MAX bytes
// before `here`.
static inline bool
call_ends_at(const uint8_t *here)
{
	bool ends = here[-CALL_OFFSET_BYTES] == CALL_OFFSET;

	for (int length = 2; !ends && length <= CALL_BYTES_MAX; length++)
		ends = call_is_indirect(here - length, length);
	return ends;
}

#else

// The call instructions of this processor are not known, so any bytes may be a call.
static inline bool
call_ends_at(const uint8_t *here)
{
	(void)here;
	return true;
}

#endif

#endif
