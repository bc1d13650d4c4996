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
	uint64_t run;         // its last one; 0: not known, or nobody asks
	uint64_t first, last; // of that one's snapshots, their numbers
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
	size_t count;
	uint64_t bytes;
	struct glanced *all = glance(path, &count, &bytes);

	if (!all)
		return;
	extent->run = all[count - 1].run;
	extent->last = all[count - 1].number;
	for (size_t i = count; i > 0 && all[i - 1].run == extent->run; i--)
		extent->first = all[i - 1].number;
	free(all);
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

	for (size_t i = 0; of->run && i < count; i++) {
		const struct extent *other = &extents[i];
		if (i == which || other->run != of->run || other->first > of->last || of->first > other->last)
			continue;
		if (other->last != of->last ? other->last > of->last : other->first != of->first
				? other->first < of->first : i < which)
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
	free(extents);
	if (count - left != told)
		warn("left out: %zu log%s that another log tells of as far, or further", count - left,
			count - left == 1 ? " of a process" : "s of processes");
	told = count - left;
	return paths;
}
