// call: what an instruction that calls looks like.
//
// Who may call: anyone, at any moment. Looks at bytes that it is given.

#ifndef PMEM_CALL_H
#define PMEM_CALL_H

#include <stdbool.h>
#include <stdint.h>

enum { CALL_BYTES_MAX = 7 };

// Whether one may end here, of which the CALL_BYTES_MAX bytes before are looked at.
static inline bool
call_ends_at(const uint8_t *here)
{
#ifdef __x86_64__
	// Intel SDM volume 2, CALL: E8 cd, or FF /2 with its ModR/M, SIB and displacement.
	if (here[-5] == 0xe8)
		return true;
	for (int length = 2; length <= CALL_BYTES_MAX; length++) {
		const uint8_t *call = here - length;
		unsigned mode = call[1] >> 6;
		unsigned base = call[1] & 7;
		int wanted = 2;
		if (call[0] != 0xff || (call[1] >> 3 & 7) != 2)
			continue;
		if (mode != 3 && base == 4)
			wanted++; // SIB
		if (mode == 1)
			wanted += 1;
		else if (mode == 2 || (mode == 0 && base == 5)
			|| (mode == 0 && base == 4 && length == CALL_BYTES_MAX && (call[2] & 7) == 5))
			wanted += 4;
		if (wanted == length)
			return true;
	}
	return false;
#else
	(void)here;
	return true;
#endif
}

#endif
