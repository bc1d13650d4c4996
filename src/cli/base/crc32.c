// SPDX-License-Identifier: BSD-2-Clause

#include "base/crc32.h"

uint32_t
crc32_add(uint32_t checksum, const void *bytes, size_t count)
{
	// the CRC's step for each value of a byte; entry 255 is 0 only until the table has been filled
	static uint32_t table[256];
	uint32_t value = ~checksum;

	for (uint32_t i = 0; i < 256 && !table[255]; i++) {
		uint32_t entry = i;
		for (int bit = 0; bit < 8; bit++)
			entry = entry & 1 ? entry >> 1 ^ UINT32_C(0xedb88320) : entry >> 1;
		table[i] = entry;
	}
	for (const unsigned char *at = bytes, *end = at + count; at < end; at++)
		value = table[(value ^ *at) & 255] ^ value >> 8;
	return ~value;
}
