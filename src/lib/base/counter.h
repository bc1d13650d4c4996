// SPDX-License-Identifier: BSD-2-Clause
// counter: how much a source has allocated and freed, and sums of these counters.
//
// Who may call: anyone, at any moment, if nobody else writes the counters meanwhile.

#ifndef PMEM_COUNTER_H
#define PMEM_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// One source's counters in one slot, or their sum over all slots. They never decrease.
struct counter {
	uint64_t allocs;
	uint64_t alloc_bytes;
	uint64_t free_bytes;
	uint64_t frees;
};

// The counters as of a snapshot, and as of the snapshot before it.
struct change {
	struct counter now;
	struct counter before;
};

static inline uint64_t
counter_live(const struct counter *counter)
{
	return counter->alloc_bytes - counter->free_bytes;
}

static inline bool
counter_holds(const struct counter *counter)
{
	return counter->allocs != counter->frees;
}

static inline uint64_t
counter_churn(const struct counter *now, const struct counter *before)
{
	return now->alloc_bytes - before->alloc_bytes + now->free_bytes - before->free_bytes;
}

// Returns true if anything was counted between `before` and `now`. A thread counts a call and its
// bytes by two stores. If the snapshot `before` reads between the two stores of an allocation, the
// snapshot `now` differs only in bytes.
static inline bool
counter_moved(const struct counter *now, const struct counter *before)
{
	return now->allocs != before->allocs || now->frees != before->frees
		|| counter_churn(now, before) != 0;
}

static inline void
counter_add(struct counter *sum, const struct counter *more)
{
	sum->allocs += more->allocs;
	sum->alloc_bytes += more->alloc_bytes;
	sum->free_bytes += more->free_bytes;
	sum->frees += more->frees;
}

static inline void
counter_subtract(struct counter *sum, const struct counter *less)
{
	sum->allocs -= less->allocs;
	sum->alloc_bytes -= less->alloc_bytes;
	sum->free_bytes -= less->free_bytes;
	sum->frees -= less->frees;
}

#endif
