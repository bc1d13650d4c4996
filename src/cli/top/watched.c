// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/term.h"
#include "top/watched.h"

enum {
	HOUR_MS = 3600 * 1000,
	POINT_MS = 60 * 1000, // between two points, at least
};

struct watched *
watched_open(const char *path)
{
	struct follow *follow = follow_open(path);
	if (!follow)
		return NULL;
	struct watched *watched = memory_get(1, sizeof(*watched));
	watched->path = memory_text(path, strlen(path));
	watched->follow = follow;
	return watched;
}

void
watched_close(struct watched *watched)
{
	follow_close(watched->follow);
	free(watched->points);
	free(watched->path);
	free(watched);
}

// Unless it is the last one.
static void
add_point(struct watched *watched, const struct point *point)
{
	size_t count = watched->point_count;

	if (count > 0 && watched->points[count - 1].time_ms == point->time_ms)
		return;
	watched->points = memory_grow(watched->points, count, &watched->point_room, sizeof(*point));
	watched->points[watched->point_count++] = *point;
}

// Of those that are an hour old, or older, only the last one counts.
static void
forget_points(struct watched *watched, int64_t now_ms)
{
	struct point *points = watched->points;
	size_t old = 0;

	while (old + 1 < watched->point_count && points[old + 1].time_ms <= now_ms - HOUR_MS)
		old++;
	if (old > 0)
		memmove(points, points + old, (watched->point_count - old) * sizeof(*points));
	watched->point_count -= old;
}

static bool
is_minute_behind(const struct watched *watched, const struct point *now)
{
	size_t count = watched->point_count;
	return count == 0 || now->time_ms - watched->points[count - 1].time_ms >= POINT_MS;
}

// What a process lets go of as it ends is not what it grows by; the time until then is of its life.
static void
take_point(struct watched *watched, const struct snapshot *last)
{
	const struct summary *summary = &last->summary;
	struct point now = {summary->time_ms, summary->total.live};
	bool is_new = watched->point_count == 0 || watched->run != last->run->id
		|| now.time_ms < watched->latest.time_ms;

	if (!now.time_ms || (is_new && last->run->ended))
		return;
	if (is_new)
		watched->point_count = 0;
	else if (now.time_ms - watched->latest.time_ms >= POINT_MS)
		add_point(watched, &watched->latest); // as it was until now
	if (last->run->ended)
		now.live = watched->latest.live;
	watched->run = last->run->id;
	watched->latest = now;
	forget_points(watched, now.time_ms);
	if (is_minute_behind(watched, &now))
		add_point(watched, &now);
}

bool
watched_take(struct watched *watched, bool progress)
{
	bool any = false;
	uint64_t of;

	while (follow_next(watched->follow)) {
		take_point(watched, follow_last(watched->follow));
		any = true;
		uint64_t done = follow_bytes(watched->follow, &of);
		if (progress)
			term_progress("reading", done, of);
	}
	return any;
}

void
watched_look(struct watched *watched)
{
	const struct run *run = follow_last(watched->follow)->run;
	struct proc process;
	bool known = false;
	bool is_there = false;

	if (watched->has_process) {
		known = true;
		is_there = process_is_there(&watched->process);
	} else if (run) {
		is_there = process_of_run(&process, run, &known);
	}
	watched->is_alive = known && is_there;
	watched->is_gone = (known && !is_there) || (run && run->ended);
}

bool
watched_growth(const struct watched *watched, int64_t now_ms, double *growth)
{
	int64_t until = watched->latest.time_ms;

	if (watched->is_alive && now_ms > until)
		until = now_ms;
	if (watched->point_count == 0 || watched->latest.time_ms <= watched->points[0].time_ms)
		return false;
	double more = (double)watched->latest.live - (double)watched->points[0].live;
	*growth = more * HOUR_MS / (double)(until - watched->points[0].time_ms);
	return true;
}
