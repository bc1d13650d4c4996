// SPDX-License-Identifier: BSD-2-Clause
// slot: the counters of one thread, in memory that is mapped as the thread uses sources.
//
// Who may call: any thread, on its own slot or on a shared one; stated at each function. Never
// allocates, except by our own mmap(); never blocks. The result says if there is no memory, or if
// the thread has used its share. Then the caller counts in a shared slot.
//
// Counters come in small groups of neighbours, since a thread uses few of all sources. A fork
// costs time for each page that any thread ever counted in. A thread's first groups are mapped
// with its slot. After those it takes groups from room that all threads share, which is limited.

#ifndef PMEM_SLOT_H
#define PMEM_SLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "base/counter.h"
#include "base/table.h"

enum {
	// Nine in ten blocks that real programs free have their page in this cache.
	SLOT_PAGES = 512,
	// Adjacent sources, whose counters are mapped together: 512 bytes.
	SLOT_GROUP_BITS = 4,
	SLOT_GROUP = 1 << SLOT_GROUP_BITS,
	SLOT_GROUPS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_GROUP_BITS),
	SLOT_GROUP_BYTES = SLOT_GROUP * sizeof(struct counter),
	// Groups are mapped in areas of this size, the first one with the slot.
	SLOT_AREA_BYTES = 64 << 10,
	// In a shared slot all groups have a place in a table, whose chunks are of 32 KiB.
	SLOT_CHUNK_BITS = 10,
	SLOT_CHUNK_BYTES = sizeof(struct counter) << SLOT_CHUNK_BITS,
	SLOT_CHUNKS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_CHUNK_BITS),
	// Upper bound of the areas of all threads, without their first ones: as many as four threads
	// need that each use all sources.
	SLOT_AREAS = 4 * (PMEM_SOURCES * sizeof(struct counter) / SLOT_AREA_BYTES + 1),
};

// For a build that samples (sample.h). Only its thread uses it; others read the sums.
struct slot_sample {
	uint64_t random; // state of the random numbers; 0 before the first
	struct counter all; // of all blocks; free_bytes is not known
};

struct slot {
	// The kernel thread id. 0 is none. SLOT_NOBODY belongs to no thread and is never adopted,
	// since several threads may be counting in it. The upper 32 bits count adoptions: a thread
	// that found an owner dead takes the slot from that owner only. Atomic.
	_Alignas(64) uint64_t owner;
	uint64_t memo_news; // the memo is valid only if this equals module_news
	int64_t churn; // unpublished bytes counted here, plus churn_from
	int64_t live;  // of these, allocated minus freed
	struct memo *memo; // the last stack, for the unwinder; NULL before the first
	int64_t churn_from; // 0 or below: lower for a longer step; see churn.h
	char *room; // for future groups, up to room_end
	char *room_end;
	// What its former threads had counted here, and the number of adoptions (above) for which this
	// is true. Written by the adopting thread before it counts anything. Atomic.
	struct counter base;
	uint64_t base_taken;
	struct slot_sample sample[PMEM_SAMPLE_BYTES > 0];
	uint32_t groups_end; // groups[] is unused from here on
	// By page: its number, and in the lowest 16 bits the usable bytes of a block there; see
	// size.h. Atomic.
	uint64_t pages[SLOT_PAGES];
	// Counters by source. A group is NULL if none of its sources was used yet. Atomic.
	struct counter *groups[SLOT_GROUPS];
	// The first groups follow; in a shared slot, the pointers to its table's chunks.
};

#define SLOT_NOBODY ((pid_t)-1)

static inline uint64_t
slot_word(const struct slot *slot)
{
	return __atomic_load_n(&slot->owner, __ATOMIC_RELAXED);
}

static inline pid_t
slot_owner(uint64_t word)
{
	return (pid_t)(uint32_t)word;
}

// Makes the slot the caller's if its owner's word still is `word`. Counts so far remain its former
// threads'. Signals must be held.
bool slot_adopt(struct slot *slot, uint64_t word, pid_t self);

// Makes the slot free to adopt. The caller must know that no thread counts in it.
static inline void
slot_leave(struct slot *slot)
{
	__atomic_store_n(&slot->owner, slot_word(slot) & ~(uint64_t)UINT32_MAX, __ATOMIC_RELEASE);
}

// Sets `base` to what the slot's former threads had counted when the word's thread adopted it.
// Returns false if the slot is no single thread's, or another's by now, or its thread has counted
// nothing yet. In that last case all counts from before the word was read are of former threads.
bool slot_base(const struct slot *slot, uint64_t word, struct counter *base);

// Bytes mapped for a slot: whole areas.
#define SLOT_BYTES (sizeof(struct slot) + SLOT_AREA_BYTES - sizeof(struct slot) % SLOT_AREA_BYTES)

// Upper bound of the memory of a shared slot's counters, without the slot.
#define SLOT_SHARED_BYTES ((uint64_t)SLOT_CHUNKS * SLOT_CHUNK_BYTES)

// Maps a new slot, or returns NULL if there is no memory. Any thread; signals must be held.
struct slot *slot_map(uint64_t owner);
void slot_unmap(struct slot *slot);

// Returns the source's counter in the caller's own slot, and takes room for it if need be. Returns
// NULL if there is none.
struct counter *slot_reach(struct slot *slot, uint32_t source);

// As slot_reach() for a shared slot, for any thread. Returns NULL if there is no memory.
struct counter *slot_reach_shared(struct slot *slot, uint32_t source);

// Returns the source's counter, or NULL if nobody has used the source there.
static inline struct counter *
slot_counter(const struct slot *slot, uint32_t source)
{
	struct counter *group
		= __atomic_load_n(&slot->groups[source >> SLOT_GROUP_BITS], __ATOMIC_ACQUIRE);
	return group ? &group[source & (SLOT_GROUP - 1)] : NULL;
}

// Called in a fork's child. The child has as much room as its parent had, in addition to inherited
// areas. After slot_end_inheritance() it has what is left of its own room.
void slot_fork(void);
void slot_end_inheritance(void);

// Returns the upper bound of the shared room in bytes, after slot_end_inheritance().
uint64_t slot_room_max(void);

#endif
