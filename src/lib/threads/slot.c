// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/check.h"
#include "base/sys.h"
#include "threads/slot.h"

_Static_assert(SLOT_BYTES - sizeof(struct slot) >= SLOT_CHUNKS * sizeof(void *),
	"a shared slot has the chunks of its table behind it");

// How many areas for groups of counters all threads together have taken, and how many they may
// take. Atomic.
static SYS_FORK_PAGE struct {
	uint32_t taken;
	uint32_t most;
} common = {.most = SLOT_AREAS};

struct slot *
slot_map(uint64_t owner)
{
	struct slot *fresh = table_map(TABLE_COUNTERS, SLOT_BYTES);
	if (!fresh)
		return NULL;
	fresh->owner = owner;
	fresh->room = (char *)(fresh + 1);
	fresh->room_end = (char *)fresh + SLOT_BYTES;
	return fresh;
}

void
slot_unmap(struct slot *slot)
{
	table_unmap(TABLE_COUNTERS, slot, SLOT_BYTES);
}

static void
sum_all(const struct slot *slot, struct counter *sum)
{
	for (uint32_t i = 0; i < slot->groups_end; i++) {
		const struct counter *group = slot->groups[i];
		for (uint32_t n = 0; group && n < SLOT_GROUP; n++)
			counter_add(sum, &group[n]);
	}
}

// slot_base() reads the base first and the owner's word after it. So slot_adopt() writes in the
// opposite order: the word first, then the base.
bool
slot_adopt(struct slot *slot, uint64_t word, pid_t self)
{
	uint64_t taken = (uint32_t)(word >> 32) + UINT32_C(1);
	struct counter sum = {0};

	if (!__atomic_compare_exchange_n(&slot->owner, &word, taken << 32 | (uint32_t)self, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return false;
	sum_all(slot, &sum);
	__atomic_store_n(&slot->base.allocs, sum.allocs, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->base.alloc_bytes, sum.alloc_bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->base.free_bytes, sum.free_bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->base.frees, sum.frees, __ATOMIC_RELEASE);
	__atomic_store_n(&slot->base_taken, taken, __ATOMIC_RELEASE);
	return true;
}

bool
slot_base(const struct slot *slot, uint64_t word, struct counter *base)
{
	if (slot_owner(word) == 0 || slot_owner(word) == SLOT_NOBODY
		|| __atomic_load_n(&slot->base_taken, __ATOMIC_ACQUIRE) != word >> 32)
		return false;
	base->allocs = __atomic_load_n(&slot->base.allocs, __ATOMIC_ACQUIRE);
	base->alloc_bytes = __atomic_load_n(&slot->base.alloc_bytes, __ATOMIC_ACQUIRE);
	base->free_bytes = __atomic_load_n(&slot->base.free_bytes, __ATOMIC_ACQUIRE);
	base->frees = __atomic_load_n(&slot->base.frees, __ATOMIC_ACQUIRE);
	return slot_word(slot) == word;
}

static bool
has_area(void)
{
	return __atomic_load_n(&common.taken, __ATOMIC_RELAXED)
		< __atomic_load_n(&common.most, __ATOMIC_RELAXED);
}

static bool
add_room(struct slot *slot)
{
	void *area = NULL;

	if (!has_area())
		return false;
	// Signals are blocked: a handler that left by siglongjmp() would lose the mapping.
	uint64_t mask = sys_hold_signals();
	__atomic_fetch_add(&common.taken, 1, __ATOMIC_RELAXED);
	if (table_chunk(TABLE_COUNTERS, &area, SLOT_AREA_BYTES)) {
		// The stores are in this order since the process may be forked between any two of them. The
		// child must never find room that is not mapped.
		__atomic_store_n(&slot->room_end, NULL, __ATOMIC_RELEASE);
		__atomic_store_n(&slot->room, area, __ATOMIC_RELEASE);
		__atomic_store_n(&slot->room_end, (char *)area + SLOT_AREA_BYTES, __ATOMIC_RELEASE);
	} else {
		__atomic_fetch_sub(&common.taken, 1, __ATOMIC_RELAXED);
	}
	sys_let_signals(mask);
	return area != NULL;
}

struct counter *
slot_reach(struct slot *slot, uint32_t source)
{
	struct counter **group = &slot->groups[source >> SLOT_GROUP_BITS];

	CHECK(source < PMEM_SOURCES);
	if (!*group) {
		if ((uintptr_t)slot->room + SLOT_GROUP_BYTES > (uintptr_t)slot->room_end
			&& !add_room(slot))
			return NULL;
		// The stores are in this order since a fork, or a handler's siglongjmp(), may come between
		// any two of them. A group may then be lost, but its memory is never used twice.
		struct counter *fresh = (struct counter *)slot->room;
		// Written before it is read: a read would map the kernel's page of zeros, and fault once more.
		__atomic_store_n(&fresh->allocs, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&slot->room, slot->room + SLOT_GROUP_BYTES, __ATOMIC_RELEASE);
		if (slot->groups_end <= source >> SLOT_GROUP_BITS)
			__atomic_store_n(&slot->groups_end, (source >> SLOT_GROUP_BITS) + 1,
				__ATOMIC_RELEASE);
		__atomic_store_n(group, fresh, __ATOMIC_RELEASE);
	}
	return slot_counter(slot, source);
}

struct counter *
slot_reach_shared(struct slot *slot, uint32_t source)
{
	struct counter **group = &slot->groups[source >> SLOT_GROUP_BITS];

	CHECK(source < PMEM_SOURCES);
	if (!__atomic_load_n(group, __ATOMIC_ACQUIRE)) {
		void **chunks = (void **)(slot + 1);
		struct counter *chunk
			= table_chunk(TABLE_COUNTERS, &chunks[source >> SLOT_CHUNK_BITS], SLOT_CHUNK_BYTES);
		if (!chunk)
			return NULL;
		// If another thread comes here at the same time, it stores the same pointer.
		uint32_t first = source & ((1U << SLOT_CHUNK_BITS) - SLOT_GROUP);
		__atomic_store_n(group, &chunk[first], __ATOMIC_RELEASE);
	}
	return slot_counter(slot, source);
}

void
slot_fork(void)
{
	uint32_t taken = __atomic_load_n(&common.taken, __ATOMIC_RELAXED);
	uint32_t most = taken < SLOT_AREAS ? taken + SLOT_AREAS : 2 * SLOT_AREAS;
	__atomic_store_n(&common.most, most, __ATOMIC_RELAXED);
}

void
slot_end_inheritance(void)
{
	__atomic_store_n(&common.most, SLOT_AREAS, __ATOMIC_RELAXED);
}

uint64_t
slot_room_max(void)
{
	uint32_t taken = __atomic_load_n(&common.taken, __ATOMIC_RELAXED);
	return (uint64_t)(taken > SLOT_AREAS ? taken : SLOT_AREAS) * SLOT_AREA_BYTES;
}
