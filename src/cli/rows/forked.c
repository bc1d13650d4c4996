// A fork's child has its parent's blocks, and the kernel keeps them once as long as neither writes.

#include <string.h>

#include "rows/profile.h"

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
forked_is_counted(const struct profile *profile, size_t number)
{
	const struct profile_run *child = &profile->runs[number];

	if (child->run->forked_from == 0)
		return false;
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct profile_run *other = &profile->runs[i];
		if (is_parent(other->run, child->run))
			return true;
		// Of those whose parent is not there, the one that has most; of equal ones the first.
		uint64_t more = other->inherited.live;
		if (is_sibling(other->run, child->run) && (more > child->inherited.live
				|| (more == child->inherited.live && i < number)))
			return true;
	}
	return false;
}
