// SPDX-License-Identifier: BSD-2-Clause
// If there are more snapshots than can be drawn, the time is divided into parts. The last snapshot
// of each part is a moment. A log has many snapshots at its beginning, and fewer an hour later. So
// the limits of the parts are the average of two divisions: into equal times, and into equal
// numbers of snapshots.

#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/message.h"
#include "html/schedule.h"

struct seen {
	int64_t time;    // Unix time in ms, or the snapshot's number
	uint64_t live;
	size_t log, place; // the log's index, and the snapshot's index in that log
	uint64_t run;
	// With either of these, the page shows this snapshot. With is_end, the page shows it also if it
	// must leave out others (kept.h).
	bool is_chosen, is_end;
};

struct all {
	struct seen *items;
	size_t count, room;
};

static void
see_log(struct all *all, struct schedule *schedule, size_t number, bool is_whole)
{
	struct scheduled *of = &schedule->logs[number];
	struct summaries *log = &schedule->summaries[number];

	if (is_whole || !summary_scan(of->path, log))
		summary_read(of->path, log);
	of->is_one = memory_get(log->count, sizeof(bool));
	all->items = memory_room(all->items, all->count + log->count, &all->room, sizeof(*all->items));
	for (size_t i = 0; i < log->count; i++) {
		const struct scanned_snapshot *snapshot = &log->all[i];
		all->items[all->count++] = (struct seen){.time = snapshot->time_ms, .log = number,
			.live = snapshot->live, .place = i, .run = snapshot->run};
		schedule->has_times = schedule->has_times && snapshot->time_ms != 0;
	}
}

// Marks the first, the last and the largest snapshot of each run, and the last but one.
static void
choose_ends(struct all *all)
{
	for (size_t first = 0, end; first < all->count; first = end) {
		size_t most = first;
		const struct seen *seen = &all->items[first];
		// With rare exceptions, the snapshots of a run follow each other in a log.
		for (end = first; end < all->count && all->items[end].log == seen->log
				&& all->items[end].run == seen->run; end++)
			if (all->items[end].live > all->items[most].live)
				most = end;
		all->items[first].is_end = all->items[most].is_end = true;
		all->items[end - 1].is_end = true;
		// At the exit much has been freed. The snapshot before the last still shows that memory.
		if (end - first > 1)
			all->items[end - 2].is_end = true;
	}
}

static int
by_time(const void *left, const void *right)
{
	const struct seen *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->log != b->log)
		return a->log < b->log ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

// Marks the snapshot at which all processes together had the most live bytes. It may be none of the
// processes' own largest snapshots.
static void
choose_peak(struct all *all, const struct schedule *schedule)
{
	int64_t time_ms;

	if (!summary_peak(schedule->summaries, schedule->count, &time_ms))
		return;
	for (size_t i = 0; i < all->count; i++)
		all->items[i].is_end |= all->items[i].time == time_ms
			&& (i + 1 == all->count || all->items[i + 1].time != time_ms);
}

static void
choose(struct all *all)
{
	if (all->count <= MOMENTS_MOST) {
		for (size_t i = 0; i < all->count; i++)
			all->items[i].is_chosen = true;
		return;
	}
	double start = (double)all->items[0].time;
	double length = (double)all->items[all->count - 1].time - start;
	int part = 0;
	for (size_t i = 0; i < all->count; i++) {
		double by_clock = length > 0 ? ((double)all->items[i].time - start) / length : 0;
		double by_number = (double)i / (double)(all->count - 1);
		int now = (int)((by_clock + by_number) / 2 * MOMENTS_MOST);
		if (now != part && i > 0)
			all->items[i - 1].is_chosen = true;
		part = now;
	}
}

// Makes moments: at each chosen time, the last snapshot of each log up to that time.
static void
spread(const struct all *all, struct schedule *schedule)
{
	// for each log, the index of its last snapshot among items[0..i], plus 1. 0 if there is none
	size_t *last = memory_get(schedule->count, sizeof(*last));
	bool is_chosen = false, may_go = true;

	schedule->times = memory_get(all->count, sizeof(*schedule->times));
	for (size_t i = 0; i < all->count; i++) {
		const struct seen *seen = &all->items[i];
		ASSERT(seen->place < schedule->summaries[seen->log].count);
		ASSERT(i == 0 || all->items[i - 1].time <= seen->time);
		last[seen->log] = seen->place + 1;
		is_chosen = is_chosen || seen->is_chosen || seen->is_end;
		may_go = may_go && !seen->is_end;
		if (!is_chosen)
			continue;
		// In several logs, snapshots with the same time become moments together. In a single log,
		// each such snapshot is a moment of its own.
		if (schedule->count > 1 && i + 1 < all->count && all->items[i + 1].time == seen->time)
			continue;
		schedule->times[schedule->time_count++] = (struct scheduled_time){seen->time, may_go};
		is_chosen = false;
		may_go = true;
		for (size_t log = 0; log < schedule->count; log++)
			if (last[log] > 0)
				schedule->logs[log].is_one[last[log] - 1] = true;
	}
	free(last);
}

void
schedule_make(struct schedule *schedule, char **paths, bool is_whole)
{
	struct all all = {0};

	*schedule = (struct schedule){.has_times = true};
	while (paths[schedule->count])
		schedule->count++;
	schedule->logs = memory_get(schedule->count, sizeof(*schedule->logs));
	schedule->summaries = memory_get(schedule->count, sizeof(*schedule->summaries));
	// Errors of a log are reported later, when the log is read again.
	message_is_quiet = true;
	for (size_t i = 0; i < schedule->count; i++) {
		schedule->logs[i].path = paths[i];
		see_log(&all, schedule, i, is_whole);
	}
	message_is_quiet = false;
	schedule->snapshots = all.count;
	for (size_t i = 0; !schedule->has_times && i < all.count; i++)
		all.items[i].time = (int64_t)all.items[i].place;
	choose_ends(&all);
	memory_sort(all.items, all.count, sizeof(*all.items), by_time);
	choose_peak(&all, schedule);
	choose(&all);
	spread(&all, schedule);
	free(all.items);
}

void
schedule_free(struct schedule *schedule)
{
	for (size_t i = 0; i < schedule->count; i++) {
		free(schedule->logs[i].is_one);
		free(schedule->summaries[i].all);
	}
	free(schedule->logs);
	free(schedule->summaries);
	free(schedule->times);
}
