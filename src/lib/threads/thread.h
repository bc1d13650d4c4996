// SPDX-License-Identifier: BSD-2-Clause
// thread: the slots in which threads count, each thread in its own.
//
// Who may call: any thread, at any moment. Never blocks. A slot is mapped on a thread's first call
// (one mmap() of our own, no heap). More of the slot is mapped as the thread uses new sources. If
// there is no room, the thread counts in the shared slot, with atomic instructions.
//
// A slot belongs to a kernel thread id. Nothing is done when the thread ends. A later thread adopts
// the slot, with its counters, which only ever grow.
//
// In a fork's child nobody counts in the inherited slots until their counts have been summed up.
// The sums are not needed before the first snapshot. So a child that does nothing costs nothing.

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

// The calling thread's slot; NULL until thread_claim().
extern __thread struct slot *thread_slot;

// Stands for the shared slot, which is for threads without a slot, and for handlers that
// interrupted a hook. thread_shared itself has no counters: they are in the shared slot in use
// (thread.c).
extern struct slot thread_shared;

// Finds or makes a slot for the calling thread, or returns &thread_shared. Never returns NULL.
struct slot *thread_claim(void);

// Returns the calling thread's kernel id, from its slot if it has one. Negative if unknown. Not
// valid in a child of vfork().
pid_t thread_kernel_id(void);

static inline struct slot *
thread_own(void)
{
	struct slot *slot = thread_slot;
	return __builtin_expect(slot != 0, 1) ? slot : thread_claim();
}

// Do the same as thread_count_alloc() and thread_count_free(). They count in the shared slot, or in
// a group of counters (slot.h) that is not mapped yet.
void thread_count_alloc_apart(
	struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls);
void thread_count_free_apart(
	struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls);

// thread_count_alloc_at() and thread_count_free_at() count in a counter of the calling thread's own
// slot (slot_own_counter()). tally_sum() relies on the order of these stores, and loads with acquire. A
// thread's own slot has one writer, so no atomic addition is needed.
static inline void
thread_count_alloc_at(struct counter *counter, uint64_t bytes, uint64_t calls)
{
	__atomic_store_n(&counter->allocs, counter->allocs + calls, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->alloc_bytes, counter->alloc_bytes + bytes, __ATOMIC_RELEASE);
}

static inline void
thread_count_free_at(struct counter *counter, uint64_t bytes, uint64_t calls)
{
	__atomic_store_n(&counter->free_bytes, counter->free_bytes + bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->frees, counter->frees + calls, __ATOMIC_RELEASE);
}

static inline void
thread_count_alloc(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	struct counter *counter = slot_own_counter(slot, source);
	if (__builtin_expect(!counter, 0))
		thread_count_alloc_apart(slot, source, bytes, calls);
	else
		thread_count_alloc_at(counter, bytes, calls);
}

static inline void
thread_count_free(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	struct counter *counter = slot_own_counter(slot, source);
	if (__builtin_expect(!counter, 0))
		thread_count_free_apart(slot, source, bytes, calls);
	else
		thread_count_free_at(counter, bytes, calls);
}

// Makes sure that any thread can count this source, at least in the shared slot. Returns false if
// there is no memory: then no block may have this source.
bool thread_reach(uint32_t source);

enum {
	// Slots are numbered from 0 on in the order of their creation. A fork's child numbers its own
	// slots after the inherited ones. THREAD_SHARED is the first shared slot's number, which is
	// higher than all other numbers.
	THREAD_SHARED = 2 * (PMEM_THREADS - 1),
	THREAD_SLOTS,
};
_Static_assert(THREAD_SHARED < 1 << (64 - SLOT_MARK_BIT), "a slot's mark has its number");

// The slots by number, for thread_slot_at() and thread.c only. An entry is written once. Atomic.
extern struct slot *thread_slots[THREAD_SHARED];

// Returns the slot of this number, or NULL if there are fewer slots.
static inline const struct slot *
thread_slot_at(uint32_t number)
{
	return number < THREAD_SHARED ? __atomic_load_n(&thread_slots[number], __ATOMIC_ACQUIRE)
		: NULL;
}

// Returns the number of slots, inherited ones included, without the first shared slot.
uint32_t thread_slots_count(void);

// Returns the first shared slot, or NULL if nobody has counted in it.
const struct slot *thread_first_shared(void);

// Returns how many of the first slots are inherited from before this process's fork. Sets
// `with_shared` if the first shared slot is inherited, too.
uint32_t thread_inherited(bool *with_shared);

// Returns true if anything was counted since the fork. Then some slot is not inherited, or the
// first shared slot is in use and is not inherited.
bool thread_has_counted_since(void);

// Makes the inherited slots free to adopt. Called when they have been summed up. From then on they
// are like the process's own slots. For one thread at a time.
void thread_end_inheritance(void);

// Return upper bounds that hold after thread_end_inheritance(). They are the number of this
// process's slots, and these slots' memory in bytes.
uint32_t thread_slots_max(void);
uint64_t thread_bytes_max(void);

// Called once, by the constructor: notes the process's id.
void thread_start(void);

// Returns true in a process that was forked since its id was noted, and in a child of vfork().
bool thread_process_is_another(void);

// Called in a child that was forked without our fork handlers. The thread that the fork copied
// keeps its slot, under its new id.
void thread_keep(void);

// Called in a fork's child: from here on all present slots are inherited. The child's only thread
// gets a new slot when it first counts. `interrupted` is true if the thread forked in a handler
// that interrupted a hook. That hook may still be counting in the old slot.
void thread_fork(bool interrupted);

// Returns true if inherited slots leave no room for two more slots.
bool thread_is_crowded(void);

#endif
