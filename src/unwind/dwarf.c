// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "unwind/dwarf.h"

uint64_t
dwarf_uleb(struct dwarf_bytes *bytes)
{
	uint64_t number = 0;
	for (unsigned shift = 0; bytes->at && bytes->at < bytes->end; shift += 7) {
		uint8_t byte = *bytes->at++;
		if (shift < 64)
			number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	bytes->at = NULL;
	return 0;
}

int64_t
dwarf_sleb(struct dwarf_bytes *bytes)
{
	uint64_t number = 0;
	for (unsigned shift = 0; bytes->at && bytes->at < bytes->end;) {
		uint8_t byte = *bytes->at++;
		if (shift < 64)
			number |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (shift < 64 && byte & 0x40)
			number |= ~UINT64_C(0) << shift;
		return (int64_t)number;
	}
	bytes->at = NULL;
	return 0;
}

uint64_t
dwarf_fixed(struct dwarf_bytes *bytes, size_t size)
{
	uint64_t number = 0;
	if (!bytes->at || (size_t)(bytes->end - bytes->at) < size) {
		bytes->at = NULL;
		return 0;
	}
	// The number is little-endian, and so is every machine that pmem is built for.
	memcpy(&number, bytes->at, size);
	bytes->at += size;
	return number;
}
