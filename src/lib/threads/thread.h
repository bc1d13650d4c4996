// SPDX-License-Identifier: BSD-2-Clause
// thread: the slots in which threads count, each thread in its own.
//
// Who may call: any thread, at any moment. A slot is mapped on a thread's first call (one
// mmap() of our own, no heap), and more of it as the thread comes to new sources; nothing
// blocks. What has no room there counts in the shared slot, with atomic instructions.
//
// A slot belongs to a kernel thread id. There is no destructor: a slot whose thread is gone
// is adopted by a later thread, with its counters, which only ever grow.
//
// In a fork's child all slots that it inherited stand still: nobody counts in them until what
// they hold has been summed up, which nobody needs before the first snapshot. So a child that
// does nothing costs nothing.

#ifndef PMEM_THREAD_H
#define PMEM_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "base/counter.h"
#include "threads/slot.h"

_Static_assert(PMEM_THREADS >= 2 && PMEM_THREADS <= 4096,
	"PMEM_THREADS must be from 2 to 4096 counter slots");

// The calling thread's; NULL until thread_claim().
extern __thread struct slot *thread_slot;

// For threads without a slot, and for handlers that interrupted a hook. It has no group here.
extern struct slot thread_shared;

// Finds the calling thread a slot. Never NULL.
struct slot *thread_claim(void);

// The calling thread's kernel id, where it has a slot without asking; negative: not to be had. Not
// for a child of vfork().
pid_t thread_kernel_id(void);

static inline struct slot *
thread_own(void)
{
	struct slot *slot = thread_slot;
	return __builtin_expect(slot != 0, 1) ? slot : thread_claim();
}

// In the shared slot, or in a group that is not there yet.
void thread_count_alloc_apart(
	struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls);
void thread_count_free_apart(
	struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls);

// Readers load with acquire. The order of the stores is half of what makes tally_sum()
// sound; see there. A slot of one's own has one writer, and plain stores will do.
static inline void
thread_count_alloc(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	struct counter *group = slot->groups[source >> SLOT_GROUP_BITS];
	if (__builtin_expect(!group, 0)) {
		thread_count_alloc_apart(slot, source, bytes, calls);
		return;
	}
	struct counter *counter = &group[source & (SLOT_GROUP - 1)];
	__atomic_store_n(&counter->allocs, counter->allocs + calls, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->alloc_bytes, counter->alloc_bytes + bytes, __ATOMIC_RELEASE);
}

static inline void
thread_count_free(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	struct counter *group = slot->groups[source >> SLOT_GROUP_BITS];
	if (__builtin_expect(!group, 0)) {
		thread_count_free_apart(slot, source, bytes, calls);
		return;
	}
	struct counter *counter = &group[source & (SLOT_GROUP - 1)];
	__atomic_store_n(&counter->free_bytes, counter->free_bytes + bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->frees, counter->frees + calls, __ATOMIC_RELEASE);
}

// Makes sure that whoever comes to this source can count it, in the shared slot if nowhere
// else. False: there is no memory, and no block is to have this source.
bool thread_reach(uint32_t source);

enum {
	// Slots have numbers, from 0 on as they come to be: a fork's child has its own behind those
	// that it inherited. Behind all that there can be stands the shared one of the start.
	THREAD_SHARED = 2 * (PMEM_THREADS - 1),
	THREAD_SLOTS,
};

// Of thread.c. An entry is written once. Atomic.
extern struct slot *thread_slots[THREAD_SHARED];

// The slot of this number. NULL: there are no more by now.
static inline const struct slot *
thread_slot_at(uint32_t number)
{
	return number < THREAD_SHARED ? __atomic_load_n(&thread_slots[number], __ATOMIC_ACQUIRE)
		: NULL;
}

// How many slots there are by now, those that stand still among them, without the shared ones.
uint32_t thread_slots_count(void);

// NULL: nobody has counted in it.
const struct slot *thread_first_shared(void);

// How many of the first slots stand still since this process was forked, and whether the shared
// one of the start does.
uint32_t thread_inherited(bool *with_shared);

// Whether anything was counted since the fork, also where there was no slot to inherit.
bool thread_has_counted_since(void);

// Once it is known what those hold that stand still: the slots of before are free to adopt, and it
// is not to be had again. For one thread at a time.
void thread_end_inheritance(void);

// The most slots that this process can come to have, once that is done, and the most that
// these take, in bytes.
uint32_t thread_slots_max(void);
uint64_t thread_bytes_max(void);

// Called once, by the constructor: which process this is.
void thread_start(void);

// In a copy of a process: the thread that was copied keeps its slot, under its new id.
void thread_keep(void);

// In a fork's child: all slots stand still from here on, and the only thread left gets a new
// one at need. `interrupted`: it has forked in a handler that interrupted a hook, which may
// still be counting in the old one.
void thread_fork(bool interrupted);

// Whether so many slots stand still that there is hardly room for another.
bool thread_is_crowded(void);

#endif
