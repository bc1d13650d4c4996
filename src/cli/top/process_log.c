// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/memory.h"
#include "base/term.h"
#include "top/process_log.h"

enum {
	HOUR_MS = 3600 * 1000,
	// A log's points (time and bytes held) are at least this far apart
	POINT_MS = 10 * 1000,
};

struct process_log *
process_log_open(const char *path)
{
	struct follow *follow = follow_open(path);
	if (!follow)
		return NULL;
	struct process_log *log = memory_get(1, sizeof(*log));
	log->path = memory_text(path, strlen(path));
	log->follow = follow;
	return log;
}

// Adds a point, unless the last point has the same time.
static void
add_point(struct process_log *log, const struct point *point)
{
	size_t count = log->point_count;

	if (count > 0 && log->points[count - 1].time_ms == point->time_ms)
		return;
	log->points = memory_grow(log->points, count, &log->point_room, sizeof(*point));
	log->points[log->point_count++] = *point;
}

// Removes points that are at least an hour old. Keeps the latest of these points.
static void
forget_points(struct process_log *log, int64_t now_ms)
{
	struct point *points = log->points;
	size_t old = 0;

	while (old + 1 < log->point_count && points[old + 1].time_ms <= now_ms - HOUR_MS)
		old++;
	if (old > 0)
		memmove(points, points + old, (log->point_count - old) * sizeof(*points));
	log->point_count -= old;
}

// Updates the points with a snapshot. For the exit's snapshot, the bytes of the snapshot before are
// taken. What a process frees at its exit says nothing about its growth. The time until the exit
// counts.
static void
take_point(struct process_log *log, const struct snapshot *last)
{
	const struct summary *summary = &last->summary;
	struct point now = {summary->time_ms, summary->total.live + summary->mapped.live,
		summary->sources};
	bool is_new = log->point_count == 0 || log->run != last->run->id
		|| now.time_ms < log->latest.time_ms;

	if (!now.time_ms || (is_new && last->run->ended))
		return;
	if (is_new)
		log->point_count = 0;
	else if (now.time_ms - log->latest.time_ms >= POINT_MS)
		add_point(log, &log->latest); // these bytes were held until just before `last`
	if (last->run->ended)
		now = (struct point){now.time_ms, log->latest.held, log->latest.sources};
	log->run = last->run->id;
	log->latest = now;
	forget_points(log, now.time_ms);
	size_t count = log->point_count;
	if (count == 0 || now.time_ms - log->points[count - 1].time_ms >= POINT_MS)
		add_point(log, &now);
}

bool
process_log_take(struct process_log *log, bool progress)
{
	bool any = false;
	uint64_t of;

	while (follow_next(log->follow)) {
		take_point(log, follow_last(log->follow));
		any = true;
		uint64_t done = log_bytes(follow_log(log->follow), &of);
		if (progress)
			term_progress("reading", done, of);
	}
	return any;
}

void
process_log_look(struct process_log *log)
{
	const struct run *run = follow_last(log->follow)->run;
	struct proc process;
	bool known = false;
	bool is_there = false;

	if (log->has_process) {
		known = true;
		is_there = process_is_there(&log->process);
	} else if (run) {
		is_there = process_of_run(&process, run, &known);
	}
	log->is_alive = known && is_there;
	log->is_gone = (known && !is_there) || (run && run->ended);
}

bool
process_log_growth(const struct process_log *log, int64_t now_ms, double *growth)
{
	const struct point *from = log->points, *end = from + log->point_count, *latest = &log->latest;
	int64_t until = log->is_alive && now_ms > latest->time_ms ? now_ms : latest->time_ms;

	while (from < end && summary_is_starting(from->sources, latest->sources))
		from++;
	if (from == end || latest->time_ms == from->time_ms || until - from->time_ms < POINT_MS)
		return false;
	*growth = ((double)latest->held - (double)from->held) * HOUR_MS / (double)(until - from->time_ms);
	return true;
}
