// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "sources/tally.h"

static TABLE_STATIC struct tally tallies[THREAD_SLOTS];
static unsigned sums_now; // index in sums[] of the sums that this snapshot makes

enum { BASE_SHIFT = TABLE_CHUNK_BITS - 5 };

// The bases of all sources (tally.h). Nothing is mapped before a program calls pmem_reset().
static void *base_chunks[TABLE_CHUNKS(PMEM_SOURCES, BASE_SHIFT)];
static const struct table bases = {base_chunks, BASE_SHIFT, sizeof(struct counter), NULL, TABLE_COUNTERS};

// A request for sums of `count` sources, from `first` on.
struct look {
	uint32_t first;
	uint32_t count;
	struct counter *sums;
	bool by_slot;
	struct tally_most *most; // an entry for each source; NULL if not wanted
};

// Returns the address of a counter's field. `number` is the field's offset in struct counter.
static inline uint64_t *
number_of(struct counter *counter, size_t number)
{
	return (uint64_t *)((char *)counter + number);
}

// Adds one field of a slot's counters to the sums, for adjacent sources. `number` is the field's
// offset in struct counter. `at` is the slot's number. Inlined for each of the four fields, since a
// snapshot spends most of its time here.
static inline __attribute__((always_inline)) void
add_number(const struct look *look, uint32_t at, const struct slot *slot, size_t number)
{
	const struct counter *counters = slot_counter(slot, look->first);
	struct tally *tally = &tallies[at];
	struct tally_most *most = number == offsetof(struct counter, alloc_bytes) ? look->most : NULL;
	struct counter *sums = look->sums;
	uint32_t sources = counters ? look->count : 0;
	uint64_t base = tally->base;
	uint64_t all = 0;

	for (uint32_t i = 0; i < sources; i++) {
		const char *from = (const char *)&counters[i] + number;
		uint64_t count = __atomic_load_n((const uint64_t *)from, __ATOMIC_ACQUIRE);
		*number_of(&sums[i], number) += count;
		all += count;
		if (most && count > base && count - base > most[i].bytes)
			most[i] = (struct tally_most){at, count - base};
	}
	if (look->by_slot && all > 0)
		*number_of(&tally->sums[sums_now], number) += all;
}

// Does add_number() for all present slots.
static inline __attribute__((always_inline)) void
sum_number(const struct look *look, size_t number)
{
	const struct slot *slot = thread_first_shared();

	if (slot)
		add_number(look, THREAD_SHARED, slot, number);
	for (uint32_t i = 0; (slot = thread_slot_at(i)); i++)
		add_number(look, i, slot, number);
}

// A block's allocation is counted before the program has the block, and so before the block's free
// is counted. That holds whichever threads and slots count the allocation and the free. Here frees
// are read first, then free_bytes, alloc_bytes and allocs, each over all present slots. So if a
// block's free is seen, its allocation is seen, too.
//
// A thread writes allocs before alloc_bytes, and frees after free_bytes. So a call under way may
// show as a live block without live bytes, but never the other way round.
static inline __attribute__((always_inline)) void
sum(const struct look *look)
{
	memset(look->sums, 0, look->count * sizeof(*look->sums));
	sum_number(look, offsetof(struct counter, frees));
	sum_number(look, offsetof(struct counter, free_bytes));
	sum_number(look, offsetof(struct counter, alloc_bytes));
	sum_number(look, offsetof(struct counter, allocs));
}

void
tally_sum(uint32_t first, uint32_t count, struct counter *sums)
{
	sum(&(struct look){first, count, sums, false, NULL});
}

// Sets a slot's sums to 0. Notes which thread owns the slot, and how many bytes the slot's former
// threads had allocated. If slot_base() does not know these bytes, `base` becomes so large that no
// bytes count as the owner's.
static void
begin_slot(uint32_t at, const struct slot *slot)
{
	struct tally *tally = &tallies[at];
	struct counter base;

	if (!slot)
		return;
	tally->sums[sums_now] = (struct counter){0};
	tally->word = slot_word(slot);
	tally->base = slot_base(slot, tally->word, &base) ? base.alloc_bytes : UINT64_MAX;
}

// Slots that are made after this call need not be visited: their sums are 0.
void
tally_begin(unsigned now)
{
	sums_now = now;
	begin_slot(THREAD_SHARED, thread_first_shared());
	for (uint32_t i = 0; thread_slot_at(i); i++)
		begin_slot(i, thread_slot_at(i));
}

void
tally_look(uint32_t first, uint32_t count, struct counter *sums, struct tally_most *most)
{
	memset(most, 0, count * sizeof(*most));
	sum(&(struct look){first, count, sums, true, most});
}

// Adds a slot's counters to the sums. No thread may count in the slot any more.
static void
add_slot(uint32_t at, const struct slot *slot, uint32_t first, uint32_t count,
	struct counter *sums)
{
	const struct counter *counters = slot_counter(slot, first);
	for (uint32_t i = 0; counters && i < count; i++) {
		counter_add(&sums[i], &counters[i]);
		counter_add(&tallies[at].sums[sums_now], &counters[i]);
	}
}

void
tally_look_inherited(uint32_t first, uint32_t count, struct counter *sums)
{
	bool with_shared;
	uint32_t end = thread_inherited(&with_shared);

	memset(sums, 0, count * sizeof(*sums));
	if (with_shared)
		add_slot(THREAD_SHARED, thread_first_shared(), first, count, sums);
	for (uint32_t i = 0; i < end; i++)
		add_slot(i, thread_slot_at(i), first, count, sums);
}

struct tally *
tally_of(uint32_t slot)
{
	return &tallies[slot];
}

bool
tally_reach_base(uint32_t sources)
{
	for (uint32_t first = 0; first < sources; first += 1U << BASE_SHIFT) {
		if (!table_reach(&bases, first))
			return false;
	}
	return true;
}

struct counter
tally_base(uint32_t source)
{
	const struct counter *base = table_get(&bases, source);
	if (!base)
		return (struct counter){0};
	return (struct counter){
		.allocs = __atomic_load_n(&base->allocs, __ATOMIC_ACQUIRE),
		.alloc_bytes = __atomic_load_n(&base->alloc_bytes, __ATOMIC_ACQUIRE),
		.free_bytes = __atomic_load_n(&base->free_bytes, __ATOMIC_ACQUIRE),
		.frees = __atomic_load_n(&base->frees, __ATOMIC_ACQUIRE),
	};
}

// table_reach() may fail only for a source that is newer than the last call of tally_reach_base().
// The source's base then stays 0.
void
tally_set_base(uint32_t source, const struct counter *sum)
{
	struct counter *base = table_reach(&bases, source);
	if (!base)
		return;
	__atomic_store_n(&base->allocs, sum->allocs, __ATOMIC_RELEASE);
	__atomic_store_n(&base->alloc_bytes, sum->alloc_bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&base->free_bytes, sum->free_bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&base->frees, sum->frees, __ATOMIC_RELEASE);
}
