// SPDX-License-Identifier: BSD-2-Clause
// First only each log's header is read, which says what process wrote the log. Logs of different
// processes are no duplicates. Only logs that share a process are read to their ends, and these are
// few.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/message.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "log/summary_scan.h"

struct extent {
	uint64_t process; // summary_scan_process() of the log; 0 if not known
	struct summaries log; // empty if not read
	size_t first; // index of the last run's first snapshot
};

static void
look_through(struct extent *extent, const char *path)
{
	struct summaries *log = &extent->log;

	if (!summary_scan(path, log))
		return;
	ASSERT(log->count > 0);
	extent->first = log->count - 1;
	while (extent->first > 0 && log->all[extent->first - 1].run == log->all[extent->first].run)
		extent->first--;
}

static const struct scanned_snapshot *
first_of(const struct extent *extent)
{
	return &extent->log.all[extent->first];
}

static const struct scanned_snapshot *
last_of(const struct extent *extent)
{
	return &extent->log.all[extent->log.count - 1];
}

// Returns the last run's snapshot with this number, or NULL if the run has no such number.
static const struct scanned_snapshot *
find(const struct extent *extent, uint64_t number)
{
	for (size_t i = extent->log.count; i-- > extent->first;)
		if (extent->log.all[i].number == number)
			return &extent->log.all[i];
	return NULL;
}

// Returns true if both logs have the same last run, and one snapshot of it in common.
static bool
have_one_in_common(const struct extent *a, const struct extent *b)
{
	const struct scanned_snapshot *last = last_of(a), *other = last_of(b);

	if (last->run != other->run)
		return false;
	if (last->number < other->number)
		other = find(b, last->number);
	else
		last = find(a, other->number);
	return last && other && last->time_ms == other->time_ms && last->live == other->live;
}

static bool
is_alone(const struct extent *extents, size_t count, size_t which)
{
	for (size_t i = 0; i < count; i++)
		if (i != which && extents[i].process == extents[which].process)
			return false;
	return true;
}

// Returns true if log `of` is a duplicate of log `other`. The two logs must have a snapshot in
// common. `of` is the duplicate if `other` ends later, or if both end at the same snapshot and
// `other` begins earlier. If both begin and end with the same snapshots, the smaller file is the
// duplicate. It may be cut off in its last snapshot. If both files have the same size, the later
// log in the list is the duplicate. `is_before` is true if `other` comes first in the list.
static bool
tells_as_much(const struct extent *other, bool is_before, const struct extent *of)
{
	uint64_t last = last_of(of)->number, first = first_of(of)->number;

	if (last_of(other)->number != last)
		return last_of(other)->number > last;
	if (first_of(other)->number != first)
		return first_of(other)->number < first;
	return other->log.bytes != of->log.bytes ? other->log.bytes > of->log.bytes : is_before;
}

static bool
is_duplicate(const struct extent *extents, size_t count, size_t which)
{
	const struct extent *of = &extents[which];

	for (size_t i = 0; of->log.all && i < count; i++)
		if (i != which && extents[i].log.all && have_one_in_common(of, &extents[i])
				&& tells_as_much(&extents[i], i < which, of))
			return true;
	return false;
}

static void
look(struct extent *extents, char **paths, size_t count)
{
	struct stat status;

	// Errors are not reported here: a log that is kept is read again, and reports them then.
	message_is_quiet = true;
	for (size_t i = 0; i < count; i++)
		extents[i].process = input_is_file(paths[i], &status)
			? summary_scan_process(paths[i]) : 0;
	for (size_t i = 0; i < count; i++)
		if (extents[i].process && !is_alone(extents, count, i))
			look_through(&extents[i], paths[i]);
	message_is_quiet = false;
}

char **
duplicates_leave_out(char **paths, size_t *told)
{
	size_t count = 0;
	size_t left = 0;

	while (paths[count])
		count++;
	if (count < 2)
		return paths;
	struct extent *extents = memory_get(count, sizeof(*extents));
	look(extents, paths, count);
	for (size_t i = 0; i < count; i++)
		if (!is_duplicate(extents, count, i))
			paths[left++] = paths[i];
	paths[left] = NULL;
	for (size_t i = 0; i < count; i++)
		free(extents[i].log.all);
	free(extents);
	if (count - left > (told ? *told : 0))
		warn("left out: %zu log%s that another log tells of as far, or further", count - left,
			count - left == 1 ? " of a process" : "s of processes");
	if (told)
		*told = count - left;
	return paths;
}
