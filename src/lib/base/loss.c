// SPDX-License-Identifier: BSD-2-Clause

#include "base/sys.h"
#include "base/loss.h"

// Arrays and not pointers, so that the loader has nothing to relocate at each start.
static const char names[LOSSES][18] = {
	[LOSS_UNTRACKED_FREES] = "untracked_frees",
	[LOSS_UNSEEN_FREES] = "unseen_frees",
	[LOSS_DAMAGED] = "damaged",
	[LOSS_TAGS_FULL] = "tags_full",
	[LOSS_NESTED] = "nested",
	[LOSS_TABLE_FULL] = "table_full",
	[LOSS_LABELS_FULL] = "labels_full",
	[LOSS_STACKS_CUT] = "stacks_cut",
	[LOSS_STACKS_SHORT] = "stacks_short",
	[LOSS_STACKS_ENDED] = "stacks_ended",
	[LOSS_SLOTS_SHARED] = "slots_shared",
	[LOSS_MODULES_FULL] = "modules_full",
	[LOSS_SYMBOLS_FULL] = "symbols_full",
	[LOSS_MAPPINGS_MISSED] = "mappings_missed",
	[LOSS_SNAPSHOTS_DROPPED] = "snapshots_dropped",
	[LOSS_ORACLE_EQUAL] = "oracle_equal",
	[LOSS_ORACLE_FURTHER] = "oracle_further",
	[LOSS_ORACLE_DIFFERS] = "oracle_differs",
	[LOSS_CHECKS_FAILED] = "checks_failed",
};

// Atomic, relaxed: nothing is ordered by these numbers.
static SYS_FORK_PAGE uint64_t counts[LOSSES];

void
loss_count(enum loss loss)
{
	__atomic_fetch_add(&counts[loss], 1, __ATOMIC_RELAXED);
}

uint64_t
loss_get(enum loss loss)
{
	return __atomic_load_n(&counts[loss], __ATOMIC_RELAXED);
}

const char *
loss_name(enum loss loss)
{
	return names[loss];
}

void
loss_fork(void)
{
	__atomic_store_n(&counts[LOSS_SNAPSHOTS_DROPPED], 0, __ATOMIC_RELAXED);
}
