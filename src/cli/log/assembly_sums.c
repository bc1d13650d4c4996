// SPDX-License-Identifier: BSD-2-Clause
// Whether what a snapshot's lines say comes to what its totals say.

#include <string.h>

#include "log/assembly.h"

bool
assembly_adds_up(const struct assembly *assembly)
{
	return assembly->progress == HAS_SUMMARY && !assembly->is_damaged
		&& memcmp(&assembly->now, &assembly->snapshot.summary.total, sizeof(assembly->now)) == 0;
}

bool
assembly_is_seeds(const struct assembly *assembly)
{
	const struct snapshot *snapshot = &assembly->snapshot;
	return assembly->progress == HAS_CHURN && !assembly->is_damaged
		&& (snapshot->run->id == 0 || snapshot->entry_count > 0 || assembly->has_held);
}

// They have all that the sources have, since the snapshot before and in all.
bool
assembly_threads_add_up(const struct assembly *assembly)
{
	struct counts now = assembly->now;
	struct counts before = assembly->before;

	now.live = now.blocks = before.live = before.blocks = 0;
	return assembly->snapshot.thread_count == 0
		|| (memcmp(&now, &assembly->threads_now, sizeof(now)) == 0
			&& memcmp(&before, &assembly->threads_before, sizeof(before)) == 0);
}
