// thread: the slots in which threads count, each thread in its own.
//
// Who may call: any thread, at any moment. A slot is mapped on a thread's first call (one
// mmap() of our own, no heap); nothing blocks. When no slot can be had the thread counts in
// the shared one, with atomic instructions.
//
// A slot belongs to a kernel thread id. There is no destructor: a slot whose thread is gone
// is adopted by a later thread, with its counters, which only ever grow.

#ifndef PMEM_THREAD_H
#define PMEM_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config.h"
#include "counter.h"

_Static_assert(PMEM_THREADS >= 2 && PMEM_THREADS <= 4096,
	"PMEM_THREADS must be from 2 to 4096 counter slots");

enum {
	// Nine in ten blocks that real programs free have their page among these.
	THREAD_PAGES = 512,
};

struct slot {
	// Kernel thread id, 0 = none; above 32 bits, how often it was taken, so that who looked
	// whether an owner lives takes it from that one alone. Atomic.
	uint64_t owner;
	uint64_t memo_news; // as long as it is not module_news the memo is void
	int64_t churn; // bytes counted here and not yet published, on top of churn_from
	struct memo *memo; // the last stack, for the unwinder; NULL until it has one
	int64_t churn_from; // not above 0: the longer the step, the lower; see churn.h
	// By page: its number, and in the lowest 16 bits the usable bytes of a block there; see
	// size.h. Atomic.
	uint64_t pages[THREAD_PAGES];
	_Alignas(64) struct counter counters[PMEM_SOURCES];
};

// The calling thread's; NULL until thread_claim().
extern __thread struct slot *thread_slot;

// For threads without a slot, and for handlers that interrupted a hook.
extern struct slot thread_shared;

// Finds the calling thread a slot. Never NULL.
struct slot *thread_claim(void);

static inline struct slot *
thread_own(void)
{
	struct slot *slot = thread_slot;
	return __builtin_expect(slot != 0, 1) ? slot : thread_claim();
}

// In the shared slot, which has several writers.
void thread_count_shared_alloc(uint32_t source, uint64_t bytes);
void thread_count_shared_free(uint32_t source, uint64_t bytes);

// Readers load with acquire. The order of the stores is half of what makes thread_sum()
// sound; see there. A slot of one's own has one writer, and plain stores will do.
static inline void
thread_count_alloc(struct slot *slot, uint32_t source, uint64_t bytes)
{
	if (__builtin_expect(slot == &thread_shared, 0)) {
		thread_count_shared_alloc(source, bytes);
		return;
	}
	struct counter *counter = &slot->counters[source];
	__atomic_store_n(&counter->allocs, counter->allocs + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->alloc_bytes, counter->alloc_bytes + bytes, __ATOMIC_RELEASE);
}

static inline void
thread_count_free(struct slot *slot, uint32_t source, uint64_t bytes)
{
	if (__builtin_expect(slot == &thread_shared, 0)) {
		thread_count_shared_free(source, bytes);
		return;
	}
	struct counter *counter = &slot->counters[source];
	__atomic_store_n(&counter->free_bytes, counter->free_bytes + bytes, __ATOMIC_RELEASE);
	__atomic_store_n(&counter->frees, counter->frees + 1, __ATOMIC_RELEASE);
}

// The source's counters over all slots, while others go on counting. Frees never exceed
// allocs, in calls nor bytes, and where no block is live no byte is.
void thread_sum(uint32_t source, struct counter *sum);

// The same for all sources below count, where nobody else counts meanwhile: a fraction of the
// time, since each slot is read from end to end.
void thread_sum_alone(struct counter *sums, uint32_t count);

// Called once, by the constructor: which process this is.
void thread_start(void);

// In a copy of a process: the thread that was copied keeps its slot, under its new id.
void thread_keep(void);

// In a fork's child: the only thread left keeps its slot, the others' are free to adopt.
void thread_fork(void);

#endif
