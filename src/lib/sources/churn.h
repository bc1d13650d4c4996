// SPDX-License-Identifier: BSD-2-Clause
// churn: counts the bytes allocated and freed since the last snapshot. Tells whether the next
// snapshot is due, and how many bytes were live at the peak.
//
// Who may call: any thread that holds the guard. Never allocates, never blocks. A thread adds up
// its own bytes, and publishes them only when they exceed a limit, called the step. So counting
// mostly touches no shared memory. The published sum lacks at most one step of each thread. The
// first steps are small, so that a program which allocates little publishes, too.

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

// The largest step in which threads publish: a 64th of PMEM_CHURN_THRESH, at most 64 KiB. A busy
// thread allocates that much in a moment.
#define CHURN_STEP \
	((int64_t)(PMEM_CHURN_THRESH / 64 < 65536 ? PMEM_CHURN_THRESH / 64 : 65536))

// The smallest step in which threads publish, in bytes.
#define CHURN_FIRST_STEP (CHURN_STEP / 64)

// Why a snapshot is due.
enum churn_due {
	CHURN_NOT_DUE,
	CHURN_DUE_THRESHOLD,
	CHURN_DUE_SIGNAL,
	CHURN_DUE_LOOK, // the last snapshot is at least PMEM_LOOK_MS old
	CHURN_DUE_PEAK, // live bytes are, or just were, well above what any snapshot has shown
};

// CHURN_KEPT_BYTES is how many bytes of log are left after a rotation. If rotated logs are not
// kept, half of a full log counts instead: that is the log's average size. CHURN_BEGIN_BYTES is a
// process's allowance: the process may write these bytes of log at any speed. When the allowance is
// spent, the log may grow by CHURN_HOUR_BYTES an hour.
//
// Snapshots spend bytes of the allowance. Spent bytes are regained at CHURN_HOUR_BYTES an hour.
#define CHURN_KEPT_BYTES \
	((uint64_t)PMEM_LOG_MAX_BYTES * (PMEM_LOG_KEEP > 0 ? 2 * PMEM_LOG_KEEP : 1) / 2)
#define CHURN_BEGIN_BYTES \
	(PMEM_LOG_BEGIN_BYTES < CHURN_KEPT_BYTES / 2 ? PMEM_LOG_BEGIN_BYTES : CHURN_KEPT_BYTES / 2)
#define CHURN_HOUR_BYTES \
	((CHURN_KEPT_BYTES - CHURN_BEGIN_BYTES) / (PMEM_LOG_HOURS > 0 ? PMEM_LOG_HOURS : 1))

_Static_assert(PMEM_LOG_HOURS == 0 || CHURN_HOUR_BYTES > 0,
	"PMEM_LOG_MAX_BYTES must have a byte for each hour of PMEM_LOG_HOURS");

// From this age on, a process may spend all of its allowance. Before this age, the part that the
// process may spend grows evenly with its age.
enum { CHURN_GROWN_MS = 30 * 60 * 1000 };

// True if a snapshot was requested by a signal. Set by the handler of PMEM_SNAPSHOT_SIGNAL. Atomic,
// relaxed.
extern bool churn_asked;

// Adds to the published sums. Returns why a snapshot is due, if one is. `bytes` were allocated or
// freed; `live` is the number of bytes allocated minus the number of bytes freed.
enum churn_due churn_publish(uint64_t bytes, int64_t live);

// Does the same as churn_publish(), for what the slot has counted since its last publication.
enum churn_due churn_publish_slot(struct slot *slot);

// Counts bytes in the calling thread's own slot; `live` is as in churn_publish(). Returns true if
// churn_publish_slot() must follow.
static inline __attribute__((always_inline)) bool
churn_add_own(struct slot *slot, uint64_t bytes, int64_t live)
{
	bool asked = PMEM_SNAPSHOT_SIGNAL && __atomic_load_n(&churn_asked, __ATOMIC_RELAXED);

	slot->live += live;
	slot->churn += (int64_t)bytes;
	return __builtin_expect(slot->churn > CHURN_FIRST_STEP || asked, 0);
}

// Counts bytes in the calling thread's slot, or in the shared slot. Returns why a snapshot is due, if
// one is.
static inline enum churn_due
churn_add(struct slot *slot, uint64_t bytes, int64_t live)
{
	if (__builtin_expect(slot == &thread_shared, 0))
		return churn_publish(bytes, live);
	return churn_add_own(slot, bytes, live) ? churn_publish_slot(slot) : CHURN_NOT_DUE;
}

// Does the same as churn_add() in a thread's own slot, but does not check whether a snapshot is
// due. The caller calls churn_add() a moment later, which does check.
static inline void
churn_add_first(struct slot *slot, uint64_t bytes, int64_t live)
{
	slot->live += live;
	slot->churn += (int64_t)bytes;
}

// The largest number of live bytes since the process began, and when they were live. May be off by
// one step (CHURN_STEP) for each thread.
struct churn_peak {
	uint64_t bytes;
	int64_t time; // ns since 1970
};
void churn_get_peak(struct churn_peak *peak);

// Sets the live bytes to a snapshot's sum. Later publications add to them.
void churn_set_live(uint64_t live);

// Called after churn_set_live(), when the snapshot has been written, or counted as lost. From then
// on, `live` bytes count as shown by a snapshot. So one peak makes only one snapshot due, even if
// nothing can be written.
void churn_told(uint64_t live);

// Called when the process begins. From then on, CHURN_DUE_LOOK is possible.
void churn_start(void);

// Called in a fork's child, which counts its own bytes from here on. No snapshot is due while the
// child is young (churn_is_young()). There may be many children, so each may spend only a quarter
// of CHURN_BEGIN_BYTES.
void churn_fork(void);

// churn_begin_bytes() returns this process's allowance, in bytes. churn_first_bytes() returns how
// many of these bytes the process may spend as soon as it starts.
uint64_t churn_begin_bytes(void);
uint64_t churn_first_bytes(void);

// Returns how many bytes the entries of a snapshot may take now. `is_last` is true for the snapshot
// at the process's end.
size_t churn_room(bool is_last);

// Returns true in a child that was forked less than PMEM_CHILD_MS ago.
bool churn_is_young(void);

// Sets the published churn to 0. Called after a snapshot, or when a snapshot that was due will not
// be written.
void churn_reset(void);

// Returns true if surely fewer than `bytes` were allocated and freed since the process began.
// `slots` is the number of slots.
bool churn_is_less(uint64_t bytes, uint32_t slots);

// Called by the thread that writes snapshots, after each of them. `bytes` is the snapshot's size,
// `time` how long the writer took for it (ns).
void churn_spend(uint64_t bytes, int64_t time);

#endif
