// SPDX-License-Identifier: BSD-2-Clause
// churn: bytes allocated and freed since the last snapshot, and whether the next is due; and the
// most that was ever live.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks. A thread
// adds up its own bytes and publishes them in steps, so that counting touches no shared
// memory: the published sum is at most one step a thread behind. The first steps are small, so
// that a program which allocates little publishes, too.

#ifndef PMEM_CHURN_H
#define PMEM_CHURN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "threads/thread.h"

_Static_assert(PMEM_CHURN_THRESH >= 1, "PMEM_CHURN_THRESH must be at least 1 byte");
_Static_assert(PMEM_LOG_HOURS >= 0 && PMEM_LOG_HOURS <= 8784,
	"PMEM_LOG_HOURS must be from 0 to 8784, a year");
_Static_assert(PMEM_LOG_HOURS == 0 || PMEM_LOG_MAX_BYTES > 0,
	"PMEM_LOG_MAX_BYTES must not be 0, no limit, but where PMEM_LOG_HOURS is 0, no rate");
_Static_assert(PMEM_LOG_BEGIN_BYTES >= 1, "PMEM_LOG_BEGIN_BYTES must be at least 1 byte");
_Static_assert(PMEM_LOG_FIRST_BYTES >= 1, "PMEM_LOG_FIRST_BYTES must be at least 1 byte");
_Static_assert(PMEM_CHILD_MS >= 0 && PMEM_CHILD_MS <= 3600000,
	"PMEM_CHILD_MS must be from 0 to 3600000, an hour");
_Static_assert(PMEM_LOOK_MS >= 0, "PMEM_LOOK_MS must not be negative");
_Static_assert(PMEM_SNAPSHOT_AT_EXIT == 0 || PMEM_SNAPSHOT_AT_EXIT == 1,
	"PMEM_SNAPSHOT_AT_EXIT must be 0 or 1");
_Static_assert(PMEM_SNAPSHOT_SIGNAL >= 0 && PMEM_SNAPSHOT_SIGNAL <= 64,
	"PMEM_SNAPSHOT_SIGNAL must be a signal's number, or 0 for none");

// A 64th of the threshold, and no more than a busy thread counts in a moment.
#define CHURN_STEP \
	((int64_t)(PMEM_CHURN_THRESH / 64 < 65536 ? PMEM_CHURN_THRESH / 64 : 65536))

// The smallest step.
#define CHURN_FIRST_STEP (CHURN_STEP / 64)

// Why a snapshot is written.
enum churn_due {
	CHURN_NOT_DUE,
	CHURN_DUE_THRESHOLD,
	CHURN_DUE_SIGNAL,
	CHURN_DUE_LOOK, // there was none for long
	CHURN_DUE_PEAK, // live is, or was until just now, well above what any snapshot has told
};

// The log's beginning, in bytes, and how many it may grow by in an hour from then on. Kept is
// what a rotation leaves; without rotated logs, half of the one there is, on an average.
#define CHURN_KEPT_BYTES \
	((uint64_t)PMEM_LOG_MAX_BYTES * (PMEM_LOG_KEEP > 0 ? 2 * PMEM_LOG_KEEP : 1) / 2)
#define CHURN_BEGIN_BYTES \
	(PMEM_LOG_BEGIN_BYTES < CHURN_KEPT_BYTES / 2 ? PMEM_LOG_BEGIN_BYTES : CHURN_KEPT_BYTES / 2)
#define CHURN_HOUR_BYTES \
	((CHURN_KEPT_BYTES - CHURN_BEGIN_BYTES) / (PMEM_LOG_HOURS > 0 ? PMEM_LOG_HOURS : 1))

_Static_assert(PMEM_LOG_HOURS == 0 || CHURN_HOUR_BYTES > 0,
	"PMEM_LOG_MAX_BYTES must have a byte for each hour of PMEM_LOG_HOURS");

// The age at which a process has had all of its beginning to spend: it grows evenly until then.
enum { CHURN_GROWN_MS = 30 * 60 * 1000 };

// Set by the handler of PMEM_SNAPSHOT_SIGNAL. Atomic, relaxed.
extern bool churn_asked;

// Adds to the published sums, and looks whether a snapshot is due. `live` is what was allocated
// of these bytes less what was freed.
enum churn_due churn_publish(uint64_t bytes, int64_t live);

// The same for what the slot has counted since the last time.
enum churn_due churn_publish_slot(struct slot *slot);

// Counts bytes in the caller's slot, of which so many are live now.
static inline __attribute__((always_inline)) enum churn_due
churn_add(struct slot *slot, uint64_t bytes, int64_t live)
{
	bool asked = PMEM_SNAPSHOT_SIGNAL && __atomic_load_n(&churn_asked, __ATOMIC_RELAXED);

	if (__builtin_expect(slot == &thread_shared, 0))
		return churn_publish(bytes, live);
	slot->live += live;
	slot->churn += (int64_t)bytes;
	if (__builtin_expect(slot->churn <= CHURN_FIRST_STEP && !asked, 1))
		return CHURN_NOT_DUE;
	return churn_publish_slot(slot);
}

// The same in a slot that is a thread's own, where more is counted in a moment: that looks.
static inline void
churn_add_first(struct slot *slot, uint64_t bytes, int64_t live)
{
	slot->live += live;
	slot->churn += (int64_t)bytes;
}

// The most bytes that were live since the process began, within a step for each thread.
struct churn_peak {
	uint64_t bytes;
	int64_t time; // ns since 1970
};
void churn_get_peak(struct churn_peak *peak);

// What is live by a snapshot's sums: what is published goes on from there.
void churn_set_live(uint64_t live);

// And that it has been written, or lost and counted: where nothing can be written, a peak is not
// tried again and again.
void churn_told(uint64_t live);

// The process begins: from here on looks are due.
void churn_start(void);

// In a fork's child: counts its own from here on. Nothing is due while it is young; it has a
// quarter of a log's beginning to spend, since there may be many of them.
void churn_fork(void);

// This process's own beginning, in bytes, and how many of them are there at once.
uint64_t churn_begin_bytes(void);
uint64_t churn_first_bytes(void);

// How many bytes the entries of a snapshot may take by now, the last one's or another's.
size_t churn_room(bool is_last);

// Whether it is a child that was forked less than PMEM_CHILD_MS ago.
bool churn_is_young(void);

// One has been written, or there is nobody to write it for: starts from zero.
void churn_reset(void);

// Whether less than that was surely allocated and freed since the process began, in so many slots.
bool churn_is_less(uint64_t bytes, uint32_t slots);

// One has been written, of so many bytes; its writer has been at it for so long, in nanoseconds.
// For the one thread that writes.
void churn_spend(uint64_t bytes, int64_t time);

#endif
