// SPDX-License-Identifier: BSD-2-Clause
// slot: what one thread counts in, in memory that is mapped as the thread comes to sources.
//
// Who may call: any thread, on its own slot or on a shared one; see at each. Never allocates
// but by mmap() of our own, never blocks. Where there is no memory, or a thread has had its
// part of it, the answer says so, and the caller counts in a shared slot.
//
// Counters come in small groups of neighbours, since a thread comes to few of all sources: who
// forks pays for each page that any thread ever counted in. A thread's first groups come with
// its slot. When those are used up it takes from what is common to all threads, which is bounded.

#ifndef PMEM_SLOT_H
#define PMEM_SLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "base/counter.h"
#include "base/table.h"

enum {
	// Nine in ten blocks that real programs free have their page among these.
	SLOT_PAGES = 512,
	// Sources beside each other whose counters come together, 512 bytes.
	SLOT_GROUP_BITS = 4,
	SLOT_GROUP = 1 << SLOT_GROUP_BITS,
	SLOT_GROUPS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_GROUP_BITS),
	SLOT_GROUP_BYTES = SLOT_GROUP * sizeof(struct counter),
	// Groups are mapped so many bytes at a time, the first of them with the slot.
	SLOT_AREA_BYTES = 64 << 10,
	// In a shared slot all have their place in a table, whose chunks are of 32 KiB.
	SLOT_CHUNK_BITS = 10,
	SLOT_CHUNK_BYTES = sizeof(struct counter) << SLOT_CHUNK_BITS,
	SLOT_CHUNKS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_CHUNK_BITS),
	// The areas that all threads together may have beyond their first ones: as many as four
	// threads need that each count from all sources.
	SLOT_AREAS = 4 * (PMEM_SOURCES * sizeof(struct counter) / SLOT_AREA_BYTES + 1),
};

// Where blocks are sampled (sample.h). Its thread's alone, but for the sums, which others read.
struct slot_sample {
	uint64_t random; // state of what is drawn next; 0: nothing was
	struct counter all; // of all blocks; free_bytes is not known
};

struct slot {
	// Kernel thread id, 0 = none, SLOT_NOBODY = no thread's, and never to be adopted, since
	// several may be counting in it. Above 32 bits, how often it was taken, so that who looked
	// whether an owner lives takes it from that one alone. Atomic.
	_Alignas(64) uint64_t owner;
	uint64_t memo_news; // as long as it is not module_news the memo is void
	int64_t churn; // bytes counted here and not yet published, on top of churn_from
	int64_t live;  // of these, allocated less freed
	struct memo *memo; // the last stack, for the unwinder; NULL until it has one
	int64_t churn_from; // not above 0: the longer the step, the lower; see churn.h
	char *room; // for groups to come, up to room_end
	char *room_end;
	// What its former threads had counted here, and which number of takings (above) that is so
	// from: written by who takes it before it counts anything. Atomic.
	struct counter base;
	uint64_t base_taken;
	struct slot_sample sample[PMEM_SAMPLE_BYTES > 0];
	uint32_t groups_end; // none of groups[] from there on is used
	// By page: its number, and in the lowest 16 bits the usable bytes of a block there; see
	// size.h. Atomic.
	uint64_t pages[SLOT_PAGES];
	// Of counters, by source; NULL: none of these sources came by yet. Atomic.
	struct counter *groups[SLOT_GROUPS];
	// Behind it lie the first groups; in a shared slot, where the chunks of its table are.
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

// Makes it the caller's, if its owner's word is still this one. What was counted in it by then
// stays its former threads'. Signals must be held.
bool slot_adopt(struct slot *slot, uint64_t word, pid_t self);

// Makes it nobody's, free to adopt. For who knows that no thread counts in it.
static inline void
slot_leave(struct slot *slot)
{
	__atomic_store_n(&slot->owner, slot_word(slot) & ~(uint64_t)UINT32_MAX, __ATOMIC_RELEASE);
}

// What its former threads had counted in it when the thread took it whose word this is. False:
// it is no single thread's, another's by now, or its thread has counted nothing yet: then all
// that was counted before the word was read is of threads that are gone.
bool slot_base(const struct slot *slot, uint64_t word, struct counter *base);

// What is mapped for one: whole areas.
#define SLOT_BYTES (sizeof(struct slot) + SLOT_AREA_BYTES - sizeof(struct slot) % SLOT_AREA_BYTES)

// The most that the counters of a shared one take beside it.
#define SLOT_SHARED_BYTES ((uint64_t)SLOT_CHUNKS * SLOT_CHUNK_BYTES)

// A new one. NULL: there is no memory. Any thread; signals must be held.
struct slot *slot_map(uint64_t owner);
void slot_unmap(struct slot *slot);

// The source's counter in the caller's own slot, from new room at need. NULL: there is none.
struct counter *slot_reach(struct slot *slot, uint32_t source);

// The same in a shared slot, for any thread. NULL: there is no memory.
struct counter *slot_reach_shared(struct slot *slot, uint32_t source);

// Where it is. NULL: nobody has come to the source there.
static inline struct counter *
slot_counter(const struct slot *slot, uint32_t source)
{
	struct counter *group
		= __atomic_load_n(&slot->groups[source >> SLOT_GROUP_BITS], __ATOMIC_ACQUIRE);
	return group ? &group[source & (SLOT_GROUP - 1)] : NULL;
}

// In a fork's child: it has the same room as its parent had, beside what it inherited; and
// once it has summed that up, what is left of that room.
void slot_fork(void);
void slot_end_inheritance(void);

// The most that the common room takes, once that is done.
uint64_t slot_room_max(void);

#endif
