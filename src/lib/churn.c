#include "sys.h"
#include "churn.h"

bool churn_asked;

#define INTERVAL_NS (PMEM_MIN_INTERVAL_MS * INT64_C(1000000))
#define LOOK_NS (PMEM_LOOK_MS * INT64_C(1000000))

enum {
	// A look is due at most once in so many bytes: the clock is read for it.
	LOOK_BYTES = 1024,
	// What a thread keeps to itself is at most such a part of what all have published.
	STEP_PART = 16,
};

static struct {
	uint64_t published; // bytes since the last snapshot; atomic
	// When the bucket would be full again, on the coarse monotonic clock (ns). A snapshot may
	// be written while that is at most PMEM_BURST - 1 intervals ahead (the generic cell
	// rate algorithm, ITU-T I.371): burst and interval in one word. Atomic.
	int64_t full_at;
	// When the next look is due, on the same clock. Atomic.
	int64_t look_at;
} state = {.look_at = INT64_MAX};

static bool
bucket_has_snapshot(void)
{
	if (INTERVAL_NS == 0)
		return true;
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	int64_t ahead = full_at - sys_clock(CLOCK_MONOTONIC_COARSE);
	// Further than an empty bucket's: the clock is another's, of a time namespace.
	return ahead <= (PMEM_BURST - 1) * INTERVAL_NS || ahead > PMEM_BURST * INTERVAL_NS;
}

void
churn_spend(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	int64_t most = now + (PMEM_BURST - 1) * INTERVAL_NS;

	// Snapshots that are asked for come out of an empty bucket, too.
	full_at = full_at < now ? now : full_at > most ? most : full_at;
	__atomic_store_n(&state.full_at, full_at + INTERVAL_NS, __ATOMIC_RELAXED);
}

void
churn_start(void)
{
	if (LOOK_NS > 0)
		__atomic_store_n(&state.look_at, sys_clock(CLOCK_MONOTONIC_COARSE) + LOOK_NS,
			__ATOMIC_RELAXED);
}

void
churn_reset(void)
{
	__atomic_store_n(&state.published, 0, __ATOMIC_RELAXED);
	churn_start();
}

// For one thread of those that find it so.
static bool
look_is_due(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t at = __atomic_load_n(&state.look_at, __ATOMIC_RELAXED);
	return now >= at && bucket_has_snapshot()
		&& __atomic_compare_exchange_n(&state.look_at, &at, now + LOOK_NS, false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

enum churn_due
churn_publish(uint64_t bytes)
{
	uint64_t churn = __atomic_add_fetch(&state.published, bytes, __ATOMIC_RELAXED);

	if (PMEM_SNAPSHOT_SIGNAL && __atomic_exchange_n(&churn_asked, false, __ATOMIC_RELAXED))
		return CHURN_DUE_SIGNAL;
	if (churn >= PMEM_CHURN_THRESH && bucket_has_snapshot())
		return CHURN_DUE_THRESHOLD;
	// Whether the sum has come to another multiple.
	if ((churn ^ (churn - bytes)) >= LOOK_BYTES && look_is_due())
		return CHURN_DUE_LOOK;
	return CHURN_NOT_DUE;
}

static int64_t
step_after(uint64_t churn)
{
	int64_t step = (int64_t)(churn / STEP_PART);
	if (step < CHURN_FIRST_STEP)
		return CHURN_FIRST_STEP;
	return step < CHURN_STEP ? step : CHURN_STEP;
}

enum churn_due
churn_publish_slot(struct slot *slot)
{
	int64_t bytes = slot->churn - slot->churn_from;
	uint64_t published = __atomic_load_n(&state.published, __ATOMIC_RELAXED);

	slot->churn_from = CHURN_FIRST_STEP - step_after(published);
	slot->churn = slot->churn_from;
	// Whoever left these lines by siglongjmp() may have set one of the two.
	return churn_publish(bytes > 0 ? (uint64_t)bytes : 0);
}
