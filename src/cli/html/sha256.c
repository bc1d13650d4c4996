// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "html/sha256.h"

enum {
	BLOCK = 64, // in bytes
	ROUNDS = 64,
	WORDS = 8,
	DIGEST = WORDS * 4,
};

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t
rotated(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

// Processes one block (FIPS 180-4, section 6.2.2).
static void
digest(uint32_t hash[WORDS], const unsigned char *block)
{
	uint32_t schedule[ROUNDS], v[WORDS];

	for (int i = 0; i < 16; i++)
		schedule[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
			| (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t a = schedule[i - 15], b = schedule[i - 2];
		schedule[i] = schedule[i - 16] + schedule[i - 7]
			+ (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3)
			+ (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
	}
	memcpy(v, hash, sizeof(v));
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t one = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25))
			+ ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + schedule[i];
		uint32_t two = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22))
			+ ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, sizeof(v) - sizeof(*v));
		v[4] += one;
		v[0] = one + two;
	}
	for (int i = 0; i < WORDS; i++)
		hash[i] += v[i];
}

// Computes the hash. The message is padded by section 5.1.1. One bit 1 follows the bytes, and the
// length in bits is at the end of the last block.
static void
sum_of(unsigned char sum[DIGEST], const void *bytes, size_t length)
{
	uint32_t hash[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19};
	size_t padded = (length + 9 + BLOCK - 1) / BLOCK * BLOCK;
	unsigned char *message = memory_get(padded, 1);

	memcpy(message, bytes, length);
	message[length] = 0x80;
	for (int i = 0; i < 8; i++)
		message[padded - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
	for (size_t at = 0; at < padded; at += BLOCK)
		digest(hash, message + at);
	free(message);
	for (int i = 0; i < DIGEST; i++)
		sum[i] = (unsigned char)(hash[i / 4] >> (24 - i % 4 * 8));
}

char *
sha256_base64(char text[SHA256_TEXT], const void *bytes, size_t length)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	// one byte more, so that the number of bytes is a multiple of three
	unsigned char sum[DIGEST + 1] = {0};
	char *to = text;

	sum_of(sum, bytes, length);
	for (int i = 0; i < DIGEST; i += 3) {
		uint32_t three = (uint32_t)sum[i] << 16 | (uint32_t)sum[i + 1] << 8 | sum[i + 2];
		for (int shift = 18; shift >= 0; shift -= 6)
			*to++ = digits[three >> shift & 63];
	}
	to[-1] = '=';
	*to = '\0';
	return text;
}
