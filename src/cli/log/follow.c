#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "log/follow.h"

// When a run's last snapshot was, or its start.
struct before {
	const struct run *run;
	uint64_t next; // number of the snapshot that comes next
	int64_t time_ms;
};

struct follow {
	char *path;
	struct reading *reading;
	struct stat file; // as it was when all of it had been read
	struct stat tried; // what took its place, and had no snapshot
	bool is_file;     // it has a name, under which another file may appear
	bool is_stale;    // another one has appeared, and there was no snapshot in it so far
	bool lost;
	uint64_t first_run, first_number; // of the first snapshot that was read
	struct before *before; // of each run
	size_t before_count, before_room;
	struct followed last;
	char reason[32];
	struct entry *entries; // of the last snapshot
	size_t entry_room;
};

struct follow *
follow_open(const char *path)
{
	struct reading *reading = reading_open(path);
	if (!reading)
		return NULL;
	struct follow *follow = memory_get(1, sizeof(*follow));
	follow->path = memory_text(path, strlen(path));
	follow->reading = reading;
	follow->is_file = strcmp(path, "-") != 0 && stat(path, &follow->file) == 0
		&& S_ISREG(follow->file.st_mode);
	return follow;
}

static struct before *
before_of(struct follow *follow, const struct run *run)
{
	for (size_t i = follow->before_count; i > 0; i--)
		if (follow->before[i - 1].run == run)
			return &follow->before[i - 1];
	follow->before = memory_grow(follow->before, follow->before_count, &follow->before_room,
		sizeof(*follow->before));
	struct before *before = &follow->before[follow->before_count++];
	*before = (struct before){.run = run, .time_ms = run->start_ms};
	return before;
}

// Their sum is what the whole process did.
static void
keep_entries(struct follow *follow, const struct snapshot *snapshot, struct counts *more)
{
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		follow->entries = memory_grow(follow->entries, i, &follow->entry_room,
			sizeof(*follow->entries));
		follow->entries[i] = snapshot->entries[i];
		counts_add(more, &snapshot->entries[i].more);
	}
}

// What a snapshot says has happened has happened since the snapshot with the number before it.
// When that was is not known where that was not read.
static int64_t
interval_of(const struct before *before, const struct snapshot *snapshot)
{
	bool known = before->next == snapshot->number && before->time_ms > 0 && snapshot->time_ms > 0;
	if (!known)
		return 0;
	// In a burst there may be several in a millisecond; and clocks are set back.
	return snapshot->time_ms > before->time_ms ? snapshot->time_ms - before->time_ms : 1;
}

static void
take(struct follow *follow, const struct snapshot *snapshot)
{
	struct before *before = before_of(follow, snapshot->run);
	struct counts more = {0};

	if (!follow->last.run) {
		follow->first_run = snapshot->run->id;
		follow->first_number = snapshot->number;
	}
	keep_entries(follow, snapshot, &more);
	snprintf(follow->reason, sizeof(follow->reason), "%s", snapshot->reason);
	follow->last = (struct followed){
		.run = snapshot->run,
		.number = snapshot->number,
		.time_ms = snapshot->time_ms,
		.interval_ms = interval_of(before, snapshot),
		.reason = follow->reason,
		.total = snapshot->total,
		.more = more,
		.sources = snapshot->sources,
		.sources_max = snapshot->sources_max,
		.hidden = snapshot->hidden,
		.has_memory = snapshot->has_memory,
		.rss = snapshot->rss,
		.file = snapshot->file,
		.outside = snapshot->outside,
		.entries = follow->entries,
		.entry_count = snapshot->entry_count,
	};
	before->next = snapshot->number + 1;
	before->time_ms = snapshot->time_ms;
}

// Whether the path leads to another file by now, or to less of it than was read.
static bool
is_replaced(const struct stat *before, const struct stat *now)
{
	return now->st_dev != before->st_dev || now->st_ino != before->st_ino
		|| now->st_size < before->st_size;
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return !is_replaced(a, b) && a->st_size == b->st_size;
}

static bool
read_next(struct follow *follow)
{
	const struct snapshot *snapshot = reading_next(follow->reading);
	if (snapshot)
		take(follow, snapshot);
	return snapshot != NULL;
}

// What is known stays until there is a snapshot in the new file. All of that is taken at
// once; true when its last snapshot is another one than ours.
static bool
reread(struct follow *follow, const struct stat *now)
{
	struct follow *fresh;

	if (is_same(&follow->tried, now))
		return false;
	follow->tried = *now;
	fresh = follow_open(follow->path);
	if (!fresh)
		return false;
	while (read_next(fresh))
		continue;
	bool has_snapshot = fresh->last.run != NULL;
	bool is_new = has_snapshot && (!follow->last.run || fresh->last.number != follow->last.number
		|| fresh->last.run->id != follow->last.run->id);
	if (has_snapshot) {
		struct follow old = *follow;
		*follow = *fresh;
		*fresh = old;
		follow->last.reason = follow->reason;
		follow->lost = fresh->lost || (fresh->last.run
			&& (fresh->first_run != follow->first_run
				|| fresh->first_number != follow->first_number));
	}
	follow_close(fresh);
	return is_new;
}

bool
follow_next(struct follow *follow)
{
	struct stat now;

	if (read_next(follow))
		return true;
	// While there is no file, as between the steps of a rotation, nothing is to be had.
	if (!follow->is_file || stat(follow->path, &now) != 0)
		return false;
	follow->is_stale = follow->is_stale || is_replaced(&follow->file, &now);
	if (follow->is_stale)
		return reread(follow, &now);
	follow->file = now;
	return false;
}

const struct followed *
follow_last(const struct follow *follow)
{
	return &follow->last;
}

bool
follow_lost(const struct follow *follow)
{
	return follow->lost;
}

uint64_t
follow_bytes(const struct follow *follow, uint64_t *of)
{
	return reading_bytes(follow->reading, of);
}

bool
follow_finish(struct follow *follow)
{
	return reading_finish(follow->reading);
}

void
follow_close(struct follow *follow)
{
	reading_close(follow->reading);
	free(follow->path);
	free(follow->before);
	free(follow->entries);
	free(follow);
}
