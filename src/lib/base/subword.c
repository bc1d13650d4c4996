// SPDX-License-Identifier: BSD-2-Clause
// subword: atomic operations on one byte and on two bytes, made from operations on four. Some compilers
// call functions for them, as gcc 12 does for riscv64. The compiler's own such functions are in libatomic,
// a library that most programs do not load.

#include <stdbool.h>
#include <stdint.h>

#if !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_1) || !defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_2)

// The bytes that an operation is on, within the four that are aligned.
struct place {
	uint32_t *word;
	unsigned shift;
	uint32_t mask;
};

static struct place
place_of(volatile void *at, unsigned bytes)
{
	unsigned before = (unsigned)((uintptr_t)at % sizeof(uint32_t));
	bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	unsigned shift = 8 * (is_big ? (unsigned)sizeof(uint32_t) - bytes - before : before);

	uint32_t mask = ((UINT32_C(1) << 8 * bytes) - 1) << shift;

	return (struct place){(uint32_t *)((uintptr_t)at - before), shift, mask};
}

// Writes `to` if the bytes are `*found`, or in any case if `always`. Sets `*found` to what they were. Returns
// true if it has written.
static bool
swap(volatile void *at, unsigned bytes, uint32_t *found, uint32_t to, bool always)
{
	struct place place = place_of(at, bytes);
	uint32_t word = __atomic_load_n(place.word, __ATOMIC_RELAXED);

	for (;;) {
		uint32_t there = (word & place.mask) >> place.shift;
		if (!always && there != *found) {
			*found = there;
			return false;
		}
		if (__atomic_compare_exchange_n(place.word, &word, (word & ~place.mask) | to << place.shift, true,
				__ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			*found = there;
			return true;
		}
	}
}

// The compiler knows functions of these names, and so they have others here.
uint8_t subword_exchange_1(volatile void *at, uint8_t to, int order) __asm__("__atomic_exchange_1");
bool subword_compare_exchange_1(volatile void *at, void *expected, uint8_t to, bool weak, int order,
	int failed) __asm__("__atomic_compare_exchange_1");
bool subword_compare_exchange_2(volatile void *at, void *expected, uint16_t to, bool weak, int order,
	int failed) __asm__("__atomic_compare_exchange_2");

uint8_t
subword_exchange_1(volatile void *at, uint8_t to, int order)
{
	uint32_t found = 0;

	(void)order;
	swap(at, sizeof(to), &found, to, true);
	return (uint8_t)found;
}

bool
subword_compare_exchange_1(
	volatile void *at, void *expected, uint8_t to, bool weak, int order, int failed)
{
	uint8_t *was = expected;
	uint32_t found = *was;

	(void)weak, (void)order, (void)failed;
	bool done = swap(at, sizeof(to), &found, to, false);
	*was = (uint8_t)found;
	return done;
}

bool
subword_compare_exchange_2(
	volatile void *at, void *expected, uint16_t to, bool weak, int order, int failed)
{
	uint16_t *was = expected;
	uint32_t found = *was;

	(void)weak, (void)order, (void)failed;
	bool done = swap(at, sizeof(to), &found, to, false);
	*was = (uint16_t)found;
	return done;
}

#endif
