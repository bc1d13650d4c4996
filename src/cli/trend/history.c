// Each source has a series of its own, found by its address. Between two samples a source is
// taken to be as it was at the first of them, unless the second says that there is a gap.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/intern.h"
#include "trend/timeline.h"
#include "trend/history.h"

// One source.
struct track {
	const struct source *source;
	struct series series;
	struct sample last;    // as it was last shown
	uint64_t shown_in;     // of the history's snapshots
	struct sample origin;  // as it was before its first sample
	bool has_origin;       // that is known
};

struct history {
	struct run *run;
	struct track *tracks;
	size_t track_count, track_room;
	struct intern sources; // by address; numbers are those of their tracks
	struct series gauges[GAUGES];
	struct timeline timeline;
	uint64_t snapshots;
	uint64_t last_number; // of the log's snapshots
	bool has_hidden, has_exit;
};

struct history *
history_open(struct run *run)
{
	struct history *history = memory_get(1, sizeof(*history));
	history->run = run;
	return history;
}

void
history_close(struct history *history)
{
	for (size_t i = 0; i < history->track_count; i++)
		free(history->tracks[i].series.points);
	for (int i = 0; i < GAUGES; i++)
		free(history->gauges[i].points);
	free(history->tracks);
	intern_free(&history->sources);
	free(history);
}

const struct run *
history_run(const struct history *history)
{
	return history->run;
}

// The source's track. *is_new: it had none.
static struct track *
track_of(struct history *history, const struct source *source, bool *is_new)
{
	size_t number = intern_number(&history->sources, &source, sizeof(source), is_new);

	if (*is_new) {
		history->tracks = memory_grow(history->tracks, number, &history->track_room,
			sizeof(*history->tracks));
		history->tracks[number] = (struct track){.source = source};
		history->track_count++;
	}
	return &history->tracks[number];
}

// As things are, of a source or of all.
static struct sample
sample_of(const struct history *history, const struct counts *counts)
{
	// The first pmem's logs have no calls.
	return (struct sample){history->timeline.now, history->timeline.clock, counts->live,
		counts->blocks, history->run->is_seeds ? counts->alloc : counts->allocs};
}

static bool
is_as(const struct sample *a, const struct sample *b)
{
	return a->bytes == b->bytes && a->blocks == b->blocks && a->allocs == b->allocs;
}

// What there was before a source was first shown is known: nothing, or what it had in the
// snapshot before, since no snapshot has hidden anything or it had the same when the history
// began.
static bool
knows_origin(const struct history *history, const struct source *source,
	const struct sample *before)
{
	if (before->allocs == 0 || !history->has_hidden)
		return true;
	struct state state = source_marked(history->run, source, MARK_BASE);
	struct sample then = sample_of(history, &state.counts);
	return state.shown_in != NEVER_SHOWN && is_as(&then, before);
}

// An entry also says what there was in the snapshot before: at the time of `last`,
// if that `is_next`.
static void
take_entry(struct history *history, const struct entry *entry, const struct sample *last,
	bool is_next, bool is_exit)
{
	struct sample now = sample_of(history, &entry->now);
	struct sample before = sample_of(history, &entry->before);
	before.time = last->time;
	before.clock = last->clock;

	bool is_new;
	struct track *track = track_of(history, entry->source, &is_new);
	bool is_gap = false;
	if (is_new) {
		track->has_origin = history->snapshots > 0
			&& knows_origin(history, entry->source, &before);
		track->origin = before;
		is_gap = !track->has_origin;
	} else if (track->shown_in + 1 < history->snapshots || !is_next) {
		is_gap = !is_as(&before, &track->last);
	}
	if (is_gap && is_next) {
		series_add(&track->series, history->timeline.shift, &before, true);
		is_gap = false;
	}
	track->last = is_exit ? before : now;
	track->shown_in = history->snapshots;
	if (!is_exit)
		series_add(&track->series, history->timeline.shift, &now, is_gap);
}

static void
take_gauge(struct history *history, enum gauge gauge, uint64_t bytes)
{
	struct sample sample = sample_of(history, &(struct counts){.live = bytes});
	series_add(&history->gauges[gauge], history->timeline.shift, &sample, false);
}

static void
take_gauges(struct history *history, const struct summary *summary)
{
	struct sample sample = sample_of(history, &summary->total);
	uint64_t file = summary->file < summary->outside ? summary->file : summary->outside;

	series_add(&history->gauges[GAUGE_LIVE], history->timeline.shift, &sample, false);
	if (!summary->has_memory)
		return;
	take_gauge(history, GAUGE_RSS, summary->rss);
	take_gauge(history, GAUGE_FILE, summary->file);
	take_gauge(history, GAUGE_OUTSIDE, summary->outside - file);
}

// Whether sources may have moved that the snapshot does not show.
static bool
may_hide(const struct history *history, const struct snapshot *snapshot, bool is_next)
{
	if (history->run->is_seeds || (history->snapshots > 0 && !is_next))
		return true;
	for (size_t i = 0; i < snapshot->entry_count; i++) {
		const struct entry *entry = &snapshot->entries[i];
		if (entry->source->kind == SOURCE_REST && (entry->now.allocs != entry->before.allocs
				|| entry->now.frees != entry->before.frees))
			return true;
	}
	return false;
}

// Those that the log has lost are taken to have been like this one. Where there was next to no work
// somebody wanted to see how things stand, and that is a point in time, too.
static uint64_t
work_of(const struct history *history, const struct summary *summary)
{
	uint64_t least = summary->threshold / 16;
	uint64_t work = summary->churn > least ? summary->churn : least;
	bool has_gap = history->snapshots > 0 && summary->number > history->last_number;
	return has_gap ? work * (summary->number - history->last_number) : work;
}

void
history_add(struct history *history, const struct snapshot *snapshot)
{
	const struct summary *summary = &snapshot->summary;
	struct sample last = sample_of(history, &(struct counts){0});
	bool is_exit = strcmp(summary->reason, "exit") == 0;
	bool is_next = history->snapshots > 0 && summary->number == history->last_number + 1;

	history->has_exit = history->has_exit || is_exit;
	if (is_exit && history->snapshots == 0)
		return;
	if (!is_exit) {
		timeline_add(&history->timeline, summary->time_ms, summary->number,
			work_of(history, summary));
		take_gauges(history, summary);
	}
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (!source_kind_is_sum(snapshot->entries[i].source->kind))
			take_entry(history, &snapshot->entries[i], &last, is_next, is_exit);
	if (is_exit)
		return;
	if (history->snapshots == 0)
		run_mark(history->run, MARK_BASE);
	run_mark(history->run, MARK_AT);
	history->has_hidden = history->has_hidden || may_hide(history, snapshot, is_next);
	history->snapshots++;
	history->last_number = summary->number;
}

size_t
history_sources(const struct history *history)
{
	return history->track_count;
}

const struct source *
history_source(const struct history *history, size_t number)
{
	return history->tracks[number].source;
}

// What there is of a series in one window after the other.
struct walk {
	const struct series *series;
	uint32_t at;         // the point that comes next
	struct sample last;  // as it was before that
	bool is_known;       // that is
	bool is_known_after; // it is still so behind the last point
};

// What there was in a window. False: that is not known.
static bool
walk_window(struct walk *walk, const struct span *span, struct trend_point *out)
{
	const struct series *series = walk->series;
	const struct series_point *point = walk->at < series->count
		? &series->points[walk->at] : NULL;
	bool is_carried = walk->is_known && (point ? !point->is_gap : walk->is_known_after);
	bool is_here = point && point->window == (uint32_t)(span->first >> series->shift);
	struct sample floor = walk->last;
	uint64_t peak = walk->last.bytes;

	// The window's first snapshots may come before the first sample in it.
	floor.time = span->first;
	floor.clock = span->clock_first;
	is_carried = is_carried && (!is_here || span->first < point->first);
	if (is_here) {
		if (!is_carried || point->floor.bytes < floor.bytes)
			floor = point->floor;
		if (!is_carried || point->peak > peak)
			peak = point->peak;
		walk->last = (struct sample){.bytes = point->last, .blocks = point->last_blocks,
			.allocs = point->last_allocs};
		walk->is_known = true;
		walk->at++;
	}
	*out = (struct trend_point){
		.time = (double)floor.time,
		.clock = floor.clock,
		.floor = (double)floor.bytes,
		.peak = (double)peak,
		.blocks = (double)floor.blocks,
		.allocs = (double)floor.allocs,
		.load = -1,
	};
	return is_here || is_carried;
}

// Allocations in each unit of time, from one known window's end to the next one's.
static void
set_loads(struct trend_point *points, const uint64_t *allocs, const double *ends, size_t count)
{
	static const double tick = 1.0 / 1024;
	for (size_t i = 1; i < count; i++)
		points[i].load = (double)(allocs[i] - allocs[i - 1]) / (ends[i] - ends[i - 1] + tick);
	if (count > 1)
		points[0].load = points[1].load;
}

static size_t
walk_all(const struct history *history, struct walk *walk, struct trend_point *points)
{
	uint64_t allocs[SERIES_MAX];
	double ends[SERIES_MAX];
	size_t count = 0;

	for (uint32_t i = 0; i < history->timeline.count; i++) {
		if (!walk_window(walk, &history->timeline.spans[i], &points[count]))
			continue;
		allocs[count] = walk->last.allocs;
		ends[count++] = history->timeline.spans[i].clock_last;
	}
	set_loads(points, allocs, ends, count);
	return count;
}

size_t
history_points(struct history *history, size_t number, struct trend_point *points)
{
	struct track *track = &history->tracks[number];
	const struct run *run = history->run;
	struct state state = source_marked(run, track->source, MARK_AT);
	struct walk walk = {
		.series = &track->series,
		.last = track->origin,
		.is_known = track->has_origin,
		.is_known_after = !run->is_seeds
			&& source_is_exact(run, &state, run->snapshots_marked[MARK_AT]),
	};

	// First shown at the exit, and it had not moved.
	if (track->series.count == 0)
		walk.is_known_after = true;
	series_widen(&track->series, history->timeline.shift);
	return walk_all(history, &walk, points);
}

size_t
history_gauge(struct history *history, enum gauge gauge, struct trend_point *points)
{
	struct walk walk = {.series = &history->gauges[gauge]};
	series_widen(&history->gauges[gauge], history->timeline.shift);
	return walk_all(history, &walk, points);
}

struct history_span
history_span(const struct history *history)
{
	return (struct history_span){
		.snapshots = history->snapshots,
		.windows = history->timeline.count,
		.has_times = history->timeline.has_times,
		.start = history->timeline.start,
		.duration = (int64_t)history->timeline.clock,
		.end = (double)history->timeline.now,
		.has_exit = history->has_exit,
	};
}

double
history_rate(const struct history_span *span, double slope)
{
	static const double ms_an_hour = 3600e3;
	return span->has_times ? slope * ms_an_hour : slope;
}
