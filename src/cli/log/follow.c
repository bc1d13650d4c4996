// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/system.h"
#include "log/follow.h"
#include "log/input.h"

struct follow {
	char *path;
	struct log *log;
	struct stat file; // the file at `path` when it was last read to its end
	struct stat tried; // the file that reread() last read, as it was then
	struct stat elsewhere; // the file at input_other_place(), as it was when last checked
	// true for a path under which another file may appear, false for standard input or a pipe
	bool is_file;
	bool is_stale;    // true if another file has appeared at `path`, and was not read yet
	bool lost;
	// Run and number of the first snapshot that was read from `log`.
	uint64_t first_run, first_number;
	struct snapshot last, *mapped; // copies of the last snapshot and of its `mapped`
	size_t entry_room, mapped_room;
};

struct follow *
follow_open(const char *path)
{
	struct log *log = log_open(path);
	if (!log)
		return NULL;
	struct follow *follow = memory_get(1, sizeof(*follow));
	char *behind = input_place_behind(path);
	follow->path = behind ? behind : memory_text(path, strlen(path));
	follow->log = log;
	follow->mapped = memory_get(1, sizeof(*follow->mapped));
	follow->is_file = strcmp(path, "-") != 0 && stat(follow->path, &follow->file) == 0
		&& S_ISREG(follow->file.st_mode);
	return follow;
}

// Returns true if the path now leads to another file, or if the file has become shorter.
static bool
is_replaced(const struct stat *before, const struct stat *now)
{
	return !stat_is_same(before, now) || now->st_size < before->st_size;
}

static void
copy_snapshot(struct snapshot *to, const struct snapshot *from, size_t *room)
{
	struct entry *entries = memory_room(to->entries, from->entry_count, room, sizeof(*entries));

	if (from->entry_count > 0)
		memcpy(entries, from->entries, from->entry_count * sizeof(*entries));
	*to = *from;
	to->entries = entries;
}

static bool
read_next(struct follow *follow)
{
	const struct snapshot *snapshot = log_next(follow->log);
	if (!snapshot)
		return false;
	if (!follow->last.run) {
		follow->first_run = snapshot->run->id;
		follow->first_number = snapshot->summary.number;
	}
	copy_snapshot(&follow->last, snapshot, &follow->entry_room);
	copy_snapshot(follow->mapped, snapshot->mapped, &follow->mapped_room);
	follow->last.mapped = follow->mapped;
	return true;
}

// Opens the file anew and reads all of it. If the last snapshot is a different snapshot now, keeps
// the new contents, frees the old, and returns true. Otherwise frees the new contents and returns
// false: callers may still use runs and sources of the old contents.
static bool
reread(struct follow *follow, const struct stat *now)
{
	if (!is_replaced(&follow->tried, now) && follow->tried.st_size == now->st_size)
		return false;
	follow->tried = *now;
	struct follow *fresh = follow_open(follow->path);
	if (!fresh)
		return false;
	while (read_next(fresh))
		continue;
	bool is_new = fresh->last.run && (!follow->last.run
		|| fresh->last.summary.number != follow->last.summary.number
		|| fresh->last.run->id != follow->last.run->id);
	if (is_new) {
		struct follow old = *follow;
		*follow = *fresh;
		*fresh = old;
		follow->lost = fresh->lost || (fresh->last.run
			&& (fresh->first_run != follow->first_run
				|| fresh->first_number != follow->first_number));
	}
	follow_close(fresh);
	return is_new;
}

// Opens the log anew if its process continues it in another place, as after a change of user. The
// file there may belong to another process. So the log is opened anew only if that file has changed
// and continues ours.
static bool
reread_elsewhere(struct follow *follow)
{
	struct stat now;
	char *place = input_other_place(follow->path);
	bool has_changed = stat(place, &now) == 0 && (!stat_is_same(&now, &follow->elsewhere)
		|| now.st_size != follow->elsewhere.st_size);

	free(place);
	if (!has_changed)
		return false;
	follow->elsewhere = now;
	char *behind = input_place_behind(follow->path);
	bool is_new = behind && reread(follow, &now);
	free(behind);
	return is_new;
}

bool
follow_next(struct follow *follow)
{
	struct stat now;

	if (read_next(follow))
		return true;
	// During a rotation the path has no file for a moment.
	if (!follow->is_file || stat(follow->path, &now) != 0)
		return false;
	follow->is_stale = follow->is_stale || is_replaced(&follow->file, &now);
	if (follow->is_stale)
		return reread(follow, &now);
	follow->file = now;
	return reread_elsewhere(follow);
}

const struct snapshot *
follow_last(const struct follow *follow)
{
	return &follow->last;
}

bool
follow_lost(const struct follow *follow)
{
	return follow->lost;
}

struct log *
follow_log(const struct follow *follow)
{
	return follow->log;
}

void
follow_close(struct follow *follow)
{
	log_close(follow->log);
	free(follow->path);
	free(follow->last.entries);
	free(follow->mapped->entries);
	free(follow->mapped);
	free(follow);
}
