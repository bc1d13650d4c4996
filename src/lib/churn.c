#include "sys.h"
#include "churn.h"

bool churn_asked;

#define INTERVAL_NS (PMEM_MIN_INTERVAL_MS * INT64_C(1000000))

static struct {
	uint64_t published; // bytes since the last block; atomic
	// When the bucket would be full again, on the coarse monotonic clock (ns). A block may
	// be written while that is at most PMEM_BURST - 1 intervals ahead (the generic cell
	// rate algorithm, ITU-T I.371): burst and interval in one word. Atomic.
	int64_t full_at;
} state;

static bool
bucket_has_block(void)
{
	if (INTERVAL_NS == 0)
		return true;
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	return full_at - sys_clock(CLOCK_MONOTONIC_COARSE) <= (PMEM_BURST - 1) * INTERVAL_NS;
}

void
churn_spend(void)
{
	int64_t now = sys_clock(CLOCK_MONOTONIC_COARSE);
	int64_t full_at = __atomic_load_n(&state.full_at, __ATOMIC_RELAXED);
	__atomic_store_n(
		&state.full_at, (full_at > now ? full_at : now) + INTERVAL_NS, __ATOMIC_RELAXED);
}

void
churn_reset(void)
{
	__atomic_store_n(&state.published, 0, __ATOMIC_RELAXED);
}

enum churn_due
churn_publish(uint64_t bytes)
{
	uint64_t churn = __atomic_add_fetch(&state.published, bytes, __ATOMIC_RELAXED);

	if (PMEM_SNAPSHOT_SIGNAL && __atomic_exchange_n(&churn_asked, false, __ATOMIC_RELAXED))
		return CHURN_DUE_SIGNAL;
	if (churn >= PMEM_CHURN_THRESH && bucket_has_block())
		return CHURN_DUE_THRESHOLD;
	return CHURN_NOT_DUE;
}
