// SPDX-License-Identifier: BSD-2-Clause
// A fork's child has its parent's blocks. Parent and child share each page of them until one of the
// two writes to it.

#include <string.h>

#include "base/assert.h"
#include "rows/shared_after_fork.h"

static bool
is_parent(const struct run *run, const struct run *child)
{
	return run != child && run->pid == child->forked_from && run->pidns == child->pidns
		&& strcmp(run->host, child->host) == 0 && run->start_ms <= child->start_ms;
}

static bool
is_sibling(const struct run *run, const struct run *child)
{
	return run != child && run->forked_from == child->forked_from && run->pidns == child->pidns
		&& strcmp(run->host, child->host) == 0;
}

bool
shared_after_fork_is_counted(const struct fork_share *all, size_t count, size_t which)
{
	ASSERT(which < count);
	const struct fork_share *child = &all[which];

	if (child->run->forked_from == 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct fork_share *other = &all[i];
		if (is_parent(other->run, child->run))
			return true;
		// If the parent is not in `all`, the sibling with the most inherited bytes counts them. If
		// several siblings have equally many, the first of these counts them.
		if (is_sibling(other->run, child->run) && (other->inherited > child->inherited
				|| (other->inherited == child->inherited && i < which)))
			return true;
	}
	return false;
}
