// SPDX-License-Identifier: BSD-2-Clause
// hash: one mixing step, and a string hash that uses it.
//
// Who may call: anyone, at any moment. The hash of several values depends on their order, and on
// how often each occurs. The hash is the same on every machine and in every version of pmem, since
// source ids are made of it.

#ifndef PMEM_HASH_H
#define PMEM_HASH_H

#include <stdint.h>

#define HASH_SEED UINT64_C(0x2545f4914f6cdd1d)

// The multiplier is 2^64 / golden ratio, odd. The shift carries the product's high bits down. The
// next multiplication spreads them again.
static inline uint64_t
hash_step(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

// Undoes hash_step(hash, value): takes the result of that call, and returns `hash ^ value`.
static inline uint64_t
hash_unstep(uint64_t hash)
{
	return (hash ^ hash >> 32) * UINT64_C(0xf1de83e19937733d);
}

_Static_assert(UINT64_C(0x9e3779b97f4a7c15) * UINT64_C(0xf1de83e19937733d) == 1,
	"one undoes the other");

// hash_append() makes the hash of a sequence, value by value, starting with 0. The hash is a
// polynomial modulo 2^64 over mixed values. The hash of the last n values is H - h * hash_power(n).
// H is the hash of all values, h the hash of all values before the last n.
#define HASH_FACTOR UINT64_C(0xd1342543de82ef95)

static inline uint64_t
hash_append(uint64_t hash, uint64_t value)
{
	value *= UINT64_C(0x9e3779b97f4a7c15);
	return hash * HASH_FACTOR + (value ^ value >> 32);
}

static inline uint64_t
hash_power(unsigned n)
{
	uint64_t power = 1;
	for (uint64_t square = HASH_FACTOR; n; n >>= 1, square *= square)
		power *= n & 1 ? square : 1;
	return power;
}

static inline uint64_t
hash_string(const char *string)
{
	uint64_t hash = HASH_SEED;
	for (; *string; string++)
		hash = hash_step(hash, (unsigned char)*string);
	return hash;
}

#endif
