// Which run a log begins with is read first: few begin with the same, and these alone are looked through.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/message.h"
#include "log/copies.h"
#include "log/glance.h"

struct extent {
	uint64_t begins_with; // the run that the log does; 0: not known
	struct glanced *all;  // its snapshots; NULL: not known, or nobody asks
	size_t count, first;  // how many; and the place of the first one of the last run
};

static bool
is_file(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void
look_through(struct extent *extent, const char *path)
{
	uint64_t bytes;

	extent->all = glance(path, &extent->count, &bytes);
	if (!extent->all)
		return;
	size_t first = extent->count - 1;
	while (first > 0 && extent->all[first - 1].run == extent->all[first].run)
		first--;
	extent->first = first;
}

static const struct glanced *
first_of(const struct extent *extent)
{
	return &extent->all[extent->first];
}

static const struct glanced *
last_of(const struct extent *extent)
{
	return &extent->all[extent->count - 1];
}

// The snapshot of the last run with this number; NULL: there is none.
static const struct glanced *
find(const struct extent *extent, uint64_t number)
{
	for (const struct glanced *at = last_of(extent); at >= first_of(extent); at--)
		if (at->number == number)
			return at;
	return NULL;
}

// Whether both have the same snapshot of their last run.
static bool
have_one_in_common(const struct extent *a, const struct extent *b)
{
	const struct glanced *last = last_of(a), *other = last_of(b);

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
		if (i != which && extents[i].begins_with == extents[which].begins_with)
			return false;
	return true;
}

static bool
is_copy(const struct extent *extents, size_t count, size_t which)
{
	const struct extent *of = &extents[which];

	for (size_t i = 0; of->all && i < count; i++) {
		const struct extent *other = &extents[i];
		if (i == which || !other->all || !have_one_in_common(of, other))
			continue;
		uint64_t first = first_of(of)->number, last = last_of(of)->number;
		if (last_of(other)->number != last ? last_of(other)->number > last
				: first_of(other)->number != first ? first_of(other)->number < first : i < which)
			return true;
	}
	return false;
}

static void
look(struct extent *extents, char **paths, size_t count)
{
	// What is wrong with a log is said when it is read.
	message_is_quiet = true;
	for (size_t i = 0; i < count; i++)
		extents[i].begins_with = is_file(paths[i]) ? glance_run(paths[i]) : 0;
	for (size_t i = 0; i < count; i++)
		if (extents[i].begins_with && !is_alone(extents, count, i))
			look_through(&extents[i], paths[i]);
	message_is_quiet = false;
}

char **
copies_leave_out(char **paths)
{
	static size_t told;
	size_t count = 0;
	size_t left = 0;

	while (paths[count])
		count++;
	if (count < 2)
		return paths;
	struct extent *extents = memory_get(count, sizeof(*extents));
	look(extents, paths, count);
	for (size_t i = 0; i < count; i++)
		if (!is_copy(extents, count, i))
			paths[left++] = paths[i];
	paths[left] = NULL;
	for (size_t i = 0; i < count; i++)
		free(extents[i].all);
	free(extents);
	if (count - left != told)
		warn("left out: %zu log%s that another log tells of as far, or further", count - left,
			count - left == 1 ? " of a process" : "s of processes");
	told = count - left;
	return paths;
}
