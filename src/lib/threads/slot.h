// SPDX-License-Identifier: BSD-2-Clause
// slot: the counters of one thread, in memory that is mapped as the thread uses sources.
//
// Who may call: any thread, on its own slot or on a shared one; stated at each function. Never
// allocates, except by our own mmap(); never blocks. The functions return NULL if there is no
// memory, or no more room for this thread. Then the caller counts in a shared slot.
//
// Counters are mapped in small groups of adjacent sources, since a thread uses few of all sources.
// So a thread writes to few pages. A fork takes time for each page that was ever written to. A
// thread's first groups are mapped with its slot. Later groups come from areas that are mapped when
// needed. The number of areas is limited for all threads together.

#ifndef PMEM_SLOT_H
#define PMEM_SLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "base/counter.h"
#include "base/table.h"
#include "elf/module.h"

enum {
	// Number of entries of the cache pages[]. In real programs, a cache of this size has the pages
	// of nine in ten freed blocks.
	SLOT_PAGES = 512,
	// A group is the counters of this many adjacent sources. They take 512 bytes, and are mapped
	// together.
	SLOT_GROUP_BITS = 4,
	SLOT_GROUP = 1 << SLOT_GROUP_BITS,
	SLOT_GROUPS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_GROUP_BITS),
	SLOT_GROUP_BYTES = SLOT_GROUP * sizeof(struct counter),
	// Groups are mapped in areas of this size, the first area together with the slot.
	SLOT_AREA_BYTES = 64 << 10,
	// A shared slot has a table of the counters of all sources, from which it takes its groups. The
	// table is mapped in chunks of 32 KiB.
	SLOT_CHUNK_BITS = 10,
	SLOT_CHUNK_BYTES = sizeof(struct counter) << SLOT_CHUNK_BITS,
	SLOT_CHUNKS = TABLE_CHUNKS(PMEM_SOURCES, SLOT_CHUNK_BITS),
	SLOT_MARK_BIT = 48, // the lowest bit of a slot's mark
	// Upper bound of the areas of all threads, without each thread's first area. Four threads that
	// each use all sources need this many areas.
	SLOT_AREAS = 4 * (PMEM_SOURCES * sizeof(struct counter) / SLOT_AREA_BYTES + 1),
};

// What one thread keeps in a build that samples (sample.h). Only the slot's thread writes it; other
// threads read the sums.
struct slot_sample {
	// Sums over all blocks, recorded or not; free_bytes is not known. Aligned for sample_count_alloc().
	_Alignas(16) struct counter all;
	uint64_t random; // state of the random numbers; 0 before the first is drawn
	volatile uint64_t left; // bytes that the thread may still request before a block is chosen
	// Copies of what is final before a block is left out. On aarch64 the address of each variable takes an
	// instruction more.
	void *(*malloc)(size_t);
	void (*free)(void *);
	struct module_loader loader;
};

struct slot {
	// The owner's word. The lower 32 bits are the owner's kernel thread id, or 0 for none. A slot
	// whose owner is SLOT_NOBODY is never adopted, since several threads may be counting in it. The
	// upper 32 bits count adoptions. So a thread that found an owner dead takes the slot from that
	// owner, or not at all. Atomic.
	_Alignas(64) uint64_t owner;
	uint64_t memo_news; // the memo is valid only if this equals module_news
	// churn_from, plus the bytes of churn that the thread has not published yet. To publish churn
	// is to add it to the process's sum (churn.h).
	int64_t churn;
	int64_t live;  // allocated minus freed bytes that the thread has not published yet
	struct memo *memo; // the thread's last stack, for the unwinder; NULL before its first stack
	// One more than the slot's number, in the upper 16 bits, where addresses have 0. A fork's child moves
	// a memo to another slot. What the memo keeps of a slot's counters has the slot's mark.
	uint64_t mark;
	// What `churn` was set to when the thread last published it: 0 or less. The lower it is, the
	// more bytes of churn the thread collects before it publishes them.
	int64_t churn_from;
	char *room; // memory for future groups, up to room_end
	char *room_end;
	// What the slot's former threads had counted here until the last adoption. base_taken is the
	// number of that adoption, as counted in `owner`. The adopting thread writes both fields before
	// it counts anything. Atomic.
	struct counter base;
	uint64_t base_taken;
	struct slot_sample sample[PMEM_SAMPLE_BYTES > 0];
	uint32_t groups_end; // groups[] is unused from this index on
	// How often a stack's source was looked up although another slot's mark is kept with it (record.c).
	uint32_t others_looked_up;
	// The groups of counters, in the order of sources. A group is NULL if none of its sources was
	// used yet. Those of the first 8,000 sources share a page with the fields before. Atomic.
	struct counter *groups[SLOT_GROUPS];
	// A cache for size.h, one entry for a page. An entry has the page's number, and in the lowest
	// 16 bits the usable bytes of a block on that page. Atomic.
	uint64_t pages[SLOT_PAGES];
	// The memory after this struct holds the first groups. In a shared slot it holds the pointers
	// to the chunks of the slot's table.
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

// If the owner's word still is `word`, makes the caller the owner. `self` is the caller's kernel
// id. Earlier counts still belong to the former threads (slot_base()). Signals must be blocked.
bool slot_adopt(struct slot *slot, uint64_t word, pid_t self);

// Makes the slot free to adopt. The caller must know that no thread counts in it.
static inline void
slot_leave(struct slot *slot)
{
	__atomic_store_n(&slot->owner, slot_word(slot) & ~(uint64_t)UINT32_MAX, __ATOMIC_RELEASE);
}

// Sets `base` to what former threads had counted in the slot when the thread in `word` adopted it.
// Returns false if the slot belongs to no single thread, or to another thread by now. Also returns
// false if the thread in `word` has not finished adopting the slot. That thread has then counted
// nothing yet: everything counted before `word` was read was counted by former threads.
bool slot_base(const struct slot *slot, uint64_t word, struct counter *base);

// Bytes mapped for a slot: whole areas.
#define SLOT_BYTES (sizeof(struct slot) + SLOT_AREA_BYTES - sizeof(struct slot) % SLOT_AREA_BYTES)

// Upper bound of the memory of a shared slot's counters, without the slot itself.
#define SLOT_SHARED_BYTES ((uint64_t)SLOT_CHUNKS * SLOT_CHUNK_BYTES)

// Maps a new slot, or returns NULL if there is no memory. Any thread may call this; signals must be
// blocked.
struct slot *slot_map(uint64_t owner);
void slot_unmap(struct slot *slot);

// Returns the source's counter in the caller's own slot, and takes room for it if need be. Returns
// NULL if there is no room.
struct counter *slot_reach(struct slot *slot, uint32_t source);

// Does the same as slot_reach() for a shared slot. Any thread may call it. Returns NULL if there is
// no memory.
struct counter *slot_reach_shared(struct slot *slot, uint32_t source);

// Returns the source's counter in this slot, or NULL if its group is not mapped there.
static inline struct counter *
slot_counter(const struct slot *slot, uint32_t source)
{
	struct counter *group
		= __atomic_load_n(&slot->groups[source >> SLOT_GROUP_BITS], __ATOMIC_ACQUIRE);
	return group ? &group[source & (SLOT_GROUP - 1)] : NULL;
}

// Does the same as slot_counter(), for the slot's own thread, which alone maps groups.
static inline struct counter *
slot_own_counter(const struct slot *slot, uint32_t source)
{
	struct counter *group = slot->groups[source >> SLOT_GROUP_BITS];
	return __builtin_expect(group != NULL, 1) ? &group[source & (SLOT_GROUP - 1)] : NULL;
}

// slot_fork() is called in a fork's child. The child may then take SLOT_AREAS areas besides the
// inherited areas. After slot_end_inheritance() the inherited areas count, too.
void slot_fork(void);
void slot_end_inheritance(void);

// Returns the upper bound of the bytes of all areas, after slot_end_inheritance().
uint64_t slot_room_max(void);

#endif
