#include "symbols/crc32.h"

uint32_t
crc32_step(uint32_t value, const unsigned char *bytes, size_t count)
{
	static uint32_t table[256]; // of each byte; the last is not 0 once it is filled

	for (uint32_t i = 0; i < 256 && !table[255]; i++) {
		uint32_t entry = i;
		for (int bit = 0; bit < 8; bit++)
			entry = entry & 1 ? entry >> 1 ^ UINT32_C(0xedb88320) : entry >> 1;
		table[i] = entry;
	}
	for (size_t i = 0; i < count; i++)
		value = table[(value ^ bytes[i]) & 255] ^ value >> 8;
	return value;
}
