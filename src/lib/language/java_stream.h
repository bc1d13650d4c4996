// SPDX-License-Identifier: BSD-2-Clause
// java_stream: HotSpot's compressed numbers (compressedStream.hpp, UNSIGNED5 as of OpenJDK 17).
//
// The functions depend on the bytes alone. For each number they read JAVA_NUMBER_BYTES at most.

#ifndef PMEM_JAVA_STREAM_H
#define PMEM_JAVA_STREAM_H

#include <stdint.h>

enum {
	JAVA_NUMBER_BYTES = 5,
	JAVA_NUMBER_LOW = 192, // a number ends at a byte less than this
	JAVA_NUMBER_BITS = 6,  // each byte of a number adds this many bits
};

static inline uint32_t
java_read_number(const uint8_t **at)
{
	uint32_t number = 0;

	for (unsigned i = 0; i < JAVA_NUMBER_BYTES; i++) {
		uint8_t byte = *(*at)++;
		number += (uint32_t)byte << i * JAVA_NUMBER_BITS;
		if (byte < JAVA_NUMBER_LOW)
			break;
	}
	return number;
}

// Reads a number with the sign in its lowest bit.
static inline int32_t
java_read_signed(const uint8_t **at)
{
	uint32_t number = java_read_number(at);
	return (int32_t)(number >> 1 ^ -(number & 1));
}

#endif
