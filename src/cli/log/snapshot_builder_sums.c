// SPDX-License-Identifier: BSD-2-Clause
// Checks that the entries and the threads of a snapshot add up to its totals.

#include <string.h>

#include "log/snapshot_builder.h"

static bool
is_equal(const struct counts *a, const struct counts *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool
snapshot_builder_adds_up(const struct snapshot_builder *builder)
{
	return builder->progress == HAS_SUMMARY && !builder->is_damaged
		&& is_equal(&builder->blocks.now, &builder->snapshot.summary.total)
		&& is_equal(&builder->maps.now, &builder->snapshot.summary.mapped);
}

static bool
has_all(const struct entries_of_kind *of)
{
	struct counts now = {0};

	for (size_t i = 0; i < of->snapshot->entry_count; i++)
		counts_add(&now, &of->snapshot->entries[i].now);
	return is_equal(&now, &of->now);
}

bool
snapshot_builder_has_all(const struct snapshot_builder *builder)
{
	return has_all(&builder->blocks) && has_all(&builder->maps);
}

bool
snapshot_builder_is_seeds(const struct snapshot_builder *builder)
{
	const struct snapshot *snapshot = &builder->snapshot;
	return builder->progress == HAS_CHURN && !builder->is_damaged
		&& (snapshot->run->id == 0 || snapshot->entry_count > 0 || builder->held_of);
}

// The thread lines must add up to the entries' sums, now and at the snapshot before. live and
// blocks are left out, because thread lines do not have them.
bool
snapshot_builder_threads_add_up(const struct snapshot_builder *builder)
{
	struct counts now = builder->blocks.now;
	struct counts before = builder->blocks.before;

	now.live = now.blocks = before.live = before.blocks = 0;
	return builder->snapshot.thread_count == 0
		|| (is_equal(&now, &builder->threads_now)
			&& is_equal(&before, &builder->threads_before));
}
