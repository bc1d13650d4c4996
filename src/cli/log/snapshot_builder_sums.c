// SPDX-License-Identifier: BSD-2-Clause
// Checks that a snapshot's entries and threads add up to its totals.

#include <string.h>

#include "log/snapshot_builder.h"

bool
snapshot_builder_adds_up(const struct snapshot_builder *builder)
{
	return builder->progress == HAS_SUMMARY && !builder->is_damaged
		&& memcmp(&builder->now, &builder->snapshot.summary.total, sizeof(builder->now)) == 0;
}

bool
snapshot_builder_has_all(const struct snapshot_builder *builder)
{
	const struct snapshot *snapshot = &builder->snapshot;
	struct counts now = {0};

	for (size_t i = 0; i < snapshot->entry_count; i++)
		counts_add(&now, &snapshot->entries[i].now);
	return memcmp(&now, &builder->now, sizeof(now)) == 0;
}

bool
snapshot_builder_is_seeds(const struct snapshot_builder *builder)
{
	const struct snapshot *snapshot = &builder->snapshot;
	return builder->progress == HAS_CHURN && !builder->is_damaged
		&& (snapshot->run->id == 0 || snapshot->entry_count > 0 || builder->has_held);
}

// The threads must have what the sources have: in all, and at the snapshot before.
bool
snapshot_builder_threads_add_up(const struct snapshot_builder *builder)
{
	struct counts now = builder->now;
	struct counts before = builder->before;

	now.live = now.blocks = before.live = before.blocks = 0;
	return builder->snapshot.thread_count == 0
		|| (memcmp(&now, &builder->threads_now, sizeof(now)) == 0
			&& memcmp(&before, &builder->threads_before, sizeof(before)) == 0);
}
