// SPDX-License-Identifier: BSD-2-Clause
// The library has no floating point (compile.sh). Numbers from 0 to 1 are integers in units of
// 2^-62, and weights are integers in units of 2^-31. So a weight in bytes is off by less than 2^-29
// of itself, plus half a byte from rounding.

#include "base/sys.h"
#include "base/hash.h"
#include "base/table.h"
#include "heap/boot.h"
#include "heap/real.h"
#include "heap/glibc_chunk.h"
#include "heap/sample.h"

#if PMEM_SAMPLE_BYTES > 0

enum {
	ONE_BITS = 62,
	WEIGHT_BITS = 31,
	LOG_BITS = 32, // bits of a logarithm behind the point
	MARK_FOR_GOOD = UINT8_MAX,
	// A block of this many times the mean is surely hit: exp(-43) is 0 in units of 2^-62.
	SURE = 43,
};

#define ONE (UINT64_C(1) << ONE_BITS)
#define EXP_MINUS_1 UINT64_C(1696544475317221319) // exp(-1), in units of 1 / ONE
#define LN_2 UINT64_C(2977044472)                 // ln(2), in units of 2^-32

TABLE_STATIC uint8_t sample_pages[SAMPLE_PAGES];
TABLE_STATIC uint8_t sample_blocks[SAMPLE_BLOCKS];

// The random state of threads without a slot. Atomic.
static uint64_t shared_random;

static uint64_t
product(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> ONE_BITS);
}

// Returns 1 - exp(-bytes / PMEM_SAMPLE_BYTES), in units of 1 / ONE, for bytes > 0.
static uint64_t
chance_of(uint64_t bytes)
{
	const uint64_t mean = PMEM_SAMPLE_BYTES;
	uint64_t whole = bytes / mean;

	if (whole >= SURE)
		return ONE;
	// The Taylor series of 1 - exp(-x). x is the remainder divided by the mean, in units of 1 /
	// ONE. The division is done in two steps of 31 bits.
	uint64_t rest = bytes % mean << 31;
	uint64_t x = rest / mean << 31 | (rest % mean << 31) / mean;
	uint64_t chance = 0;
	uint64_t term = x;
	for (unsigned n = 1; term > 0; n++) {
		chance += n % 2 ? term : -term;
		term = product(term, x) / (n + 1);
	}
	if (whole == 0)
		return chance;
	uint64_t spared = ONE - chance;
	for (; whole > 0; whole--)
		spared = product(spared, EXP_MINUS_1);
	return ONE - spared;
}

// Returns 1 / chance_of(bytes), with WEIGHT_BITS behind the point. Only the upper 33 bits of the
// chance are used. They are precise enough, and few enough for one division of 64 bits.
static uint64_t
weight_of(size_t bytes)
{
	uint64_t chance = chance_of(bytes + !bytes);
	unsigned zeros = (unsigned)__builtin_clzll(chance);
	uint64_t upper = chance << zeros >> WEIGHT_BITS;

	return (UINT64_C(1) << 63) / upper << (zeros - 1);
}

// splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
static uint64_t
mixed(uint64_t state)
{
	state = (state ^ state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	state = (state ^ state >> 27) * UINT64_C(0x94d049bb133111eb);
	return state ^ state >> 31;
}

static uint64_t
seed(void)
{
	static uint64_t seeds;
	uint64_t number = __atomic_add_fetch(&seeds, 1, __ATOMIC_RELAXED);
	uint64_t from = PMEM_SAMPLE_SEED;

	if (from == 0)
		from = hash_step((uint64_t)sys_clock(CLOCK_MONOTONIC), (uint64_t)sys_gettid());
	return mixed(hash_step(hash_step(HASH_SEED, from), number)) | 1;
}

static uint64_t
drawn(struct slot *slot)
{
	static const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);

	if (slot && slot != &thread_shared) {
		if (slot->sample->random == 0)
			slot->sample->random = seed();
		return mixed(slot->sample->random += step);
	}
	uint64_t none = 0;
	if (__atomic_load_n(&shared_random, __ATOMIC_RELAXED) == 0)
		__atomic_compare_exchange_n(&shared_random, &none, seed(), false, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED);
	return mixed(__atomic_add_fetch(&shared_random, step, __ATOMIC_RELAXED));
}

// Returns the bytes to the next hit. That is the mean times minus the logarithm of a uniform random
// number from 0 to 1. Each squaring of a number from 1 to 2 gives one more bit of its logarithm.
static uint64_t
drawn_bytes(struct slot *slot)
{
	const uint64_t mean = PMEM_SAMPLE_BYTES;
	uint64_t number = drawn(slot) | 1;
	unsigned zeros = (unsigned)__builtin_clzll(number);
	uint64_t mantissa = number << zeros;
	uint64_t log = 0;

	for (int i = 0; i < LOG_BITS; i++) {
		unsigned __int128 square = (unsigned __int128)mantissa * mantissa >> 63;
		bool is_two = square >> 64 != 0;
		log = log << 1 | is_two;
		mantissa = (uint64_t)(square >> is_two);
	}
	uint64_t minus = ((zeros + UINT64_C(1)) << LOG_BITS) - log;
	return (uint64_t)((unsigned __int128)minus * (LN_2 * mean) >> 64);
}

// Returns the slot whose random state is used. On a thread's first call, makes the thread's own
// slot. Returns NULL if the first call is in a handler that interrupted a hook.
static struct slot *
slot_to_draw_in(void)
{
	if (thread_slot || !guard_is_free())
		return thread_slot;
	guard_take_over(GUARD_CFA);
	struct slot *slot = thread_own();
	guard_leave();
	return slot;
}

// Returns true if sample_passes() may leave out blocks of this thread. On glibc, the chunk layout
// must be known: it is learnt only from blocks for which sample_passes() is false
// (record_left_out()). The loader must be known: it is noticed when it frees left-out blocks.
static bool
may_pass(const struct slot *slot)
{
	enum real_state now = real_state();

	return slot && slot != &thread_shared && module_has_started()
		&& (now == REAL_ON || (now == REAL_ON_OTHER && !glibc_chunk_layout.is_known));
}

// Lets sample_passes() leave out blocks of this thread from now on. Before that, marks the pages of
// NULL and of the boot arena for good. A free of NULL or of an arena's block must not count as a
// left-out block's free.
static void
begin(struct slot_sample *sample)
{
	__atomic_store_n(sample_page_mark(NULL), MARK_FOR_GOOD, __ATOMIC_RELAXED);
	for (size_t at = 0; at < BOOT_BYTES; at += 1 << SAMPLE_PAGE_BITS)
		__atomic_store_n(sample_page_mark(boot_arena + at), MARK_FOR_GOOD, __ATOMIC_RELAXED);
	__atomic_store_n(sample_page_mark(boot_arena + BOOT_BYTES - 1), MARK_FOR_GOOD, __ATOMIC_RELAXED);
	sample->malloc = real.malloc;
	sample->free = real.free;
	sample->loader = module_loader;
	real_thread.sample = sample;
}

// While sample_passes() may leave out no blocks, a new distance to the next hit is drawn for each
// block. The rest of the distance that was drawn for the last block is dropped. That is correct,
// since the distribution is memoryless.
__attribute__((noinline)) bool
sample_hits(size_t bytes)
{
	struct slot *slot = slot_to_draw_in();
	uint64_t asked = bytes + !bytes;

	if (!may_pass(slot))
		return drawn_bytes(slot) < asked;
	struct slot_sample *own = slot->sample;
	if (!sample_sums()) {
		own->left = drawn_bytes(slot);
		begin(own);
	}
	// As in sample_passes(), read once.
	uint64_t left = own->left;
	own->left = left >= asked ? left - asked : drawn_bytes(slot);
	return left < asked;
}

uint32_t
sample_number_drawn(uint32_t source, size_t bytes)
{
	uint64_t fraction = weight_of(bytes) & ((UINT64_C(1) << WEIGHT_BITS) - 1);
	bool rounds_up = drawn(thread_slot) >> (64 - WEIGHT_BITS) < fraction;
	return source * TAG_KINDS + rounds_up;
}

struct sample_weight
sample_weight_of(uint32_t number, size_t bytes)
{
	uint64_t weight = weight_of(bytes);
	unsigned __int128 scaled = (unsigned __int128)bytes * weight + (1U << (WEIGHT_BITS - 1));
	return (struct sample_weight){
		.bytes = (uint64_t)(scaled >> WEIGHT_BITS),
		.calls = (weight >> WEIGHT_BITS) + number % TAG_KINDS,
	};
}

static void
change_mark(uint8_t *mark, int by)
{
	uint8_t was = __atomic_load_n(mark, __ATOMIC_RELAXED);

	while (was != MARK_FOR_GOOD
		&& !__atomic_compare_exchange_n(mark, &was, (uint8_t)(was + by), false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void
sample_set_mark(const void *block)
{
	change_mark(sample_block_mark(block), 1);
	change_mark(sample_page_mark(block), 1);
}

void
sample_take_mark(const void *block)
{
	change_mark(sample_page_mark(block), -1);
	change_mark(sample_block_mark(block), -1);
}

__attribute__((noinline)) void
sample_count_alloc_apart(uint64_t calls, size_t bytes)
{
	struct slot *slot = thread_slot;
	struct counter *all = &thread_shared.sample->all;

	if (slot && slot != &thread_shared) {
		sample_count_alloc(slot->sample, calls, bytes);
		return;
	}
	__atomic_fetch_add(&all->allocs, calls, __ATOMIC_RELAXED);
	__atomic_fetch_add(&all->alloc_bytes, bytes, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void
sample_count_free_shared(void)
{
	__atomic_fetch_add(&thread_shared.sample->all.frees, 1, __ATOMIC_RELAXED);
}

static void
add(struct counter *sum, const struct slot *slot, bool frees)
{
	const struct counter *all = &slot->sample->all;

	if (frees) {
		sum->frees += __atomic_load_n(&all->frees, __ATOMIC_ACQUIRE);
		return;
	}
	sum->alloc_bytes += __atomic_load_n(&all->alloc_bytes, __ATOMIC_ACQUIRE);
	sum->allocs += __atomic_load_n(&all->allocs, __ATOMIC_ACQUIRE);
}

// Sums up the frees before the allocations, as tally_sum() does. So there are never more frees than
// allocations.
struct counter
sample_sum(void)
{
	struct counter sum = {0};
	const struct slot *slot;

	for (int frees = 1; frees >= 0; frees--) {
		add(&sum, &thread_shared, frees);
		for (uint32_t i = 0; (slot = thread_slot_at(i)); i++)
			add(&sum, slot, frees);
	}
	return sum;
}

#else
struct counter
sample_sum(void)
{
	return (struct counter){0};
}
#endif
