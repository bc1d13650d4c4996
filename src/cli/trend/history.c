// SPDX-License-Identifier: BSD-2-Clause
// Each source has its own series, found by the source's address. Between two samples a source has
// the values of the earlier sample. There is one exception: if the later sample has is_gap set, the
// values in between are not known.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "trend/history.h"

// A process is silent if it writes no snapshot for silence_ms, and for silence_gaps times the usual
// gap between its snapshots. If memory changes, a snapshot comes within half a minute
// (PMEM_LOOK_MS), or about after the usual gap. Both times are counted from the moment at which the
// log's rate limit allows the next snapshot.
static const double silence_ms = 60e3;
static const double silence_gaps = 8;

struct history *
history_open(struct run *run)
{
	struct history *history = memory_get(1, sizeof(*history));
	history->run = run;
	history->first = moment_new(run, true);
	history->last = moment_new(run, true);
	return history;
}

void
history_close(struct history *history)
{
	for (size_t i = 0; i < history->tracked_count; i++) {
		free(history->tracked[i].series.points);
		free(history->tracked[i].joined);
	}
	for (int i = 0; i < GAUGES; i++)
		free(history->gauges[i].points);
	moment_free(history->first);
	moment_free(history->last);
	free(history->tracked);
	numbers_free(&history->sources);
	free(history);
}

const struct run *
history_run(const struct history *history)
{
	return history->run;
}

// Returns the tracked source. If the source is not tracked yet, adds it and sets *is_new to true.
static struct tracked_source *
tracked_source_of(struct history *history, const struct source *source, bool *is_new)
{
	size_t number = numbers_of(&history->sources, (uintptr_t)source, is_new);

	if (*is_new) {
		ASSERT(number == history->tracked_count);
		history->tracked = memory_grow(history->tracked, number, &history->tracked_room,
			sizeof(*history->tracked));
		history->tracked[number] = (struct tracked_source){.source = source};
		history->tracked_count++;
	}
	return &history->tracked[number];
}

// Returns a sample of these counts, with the timeline's present time. The counts are of a source or
// of the process.
static struct sample
sample_of(const struct history *history, const struct counts *counts)
{
	// Logs of pmem's first version have no number of allocations: allocated bytes stand in for it.
	return (struct sample){.time = history->timeline.now, .clock = history->timeline.clock,
		.calls = history->timeline.calls, .bytes = counts->live, .blocks = counts->blocks,
		.allocs = history->run->is_seeds ? counts->alloc : counts->allocs};
}

static bool
is_as(const struct sample *a, const struct sample *b)
{
	return a->bytes == b->bytes && a->blocks == b->blocks && a->allocs == b->allocs;
}

// Returns true if the source surely had the values `before` from the history's begin to the
// source's first sample. There are three cases: the source had not allocated until its first
// sample; no snapshot may have left out a source that changed; or the source had the values
// `before` when the history began.
static bool
knows_origin(const struct history *history, const struct source *source,
	const struct sample *before)
{
	if (before->allocs == 0 || !history->has_hidden)
		return true;
	bool is_told;
	const struct state *state = moment_state(history->first, source, &is_told);
	struct sample then = sample_of(history, &state->counts);
	return state->shown_in != NEVER_SHOWN && is_as(&then, before);
}

// Adds an entry's values to the series of its source. An entry also has the source's values at the
// snapshot that was written before. If `is_next`, the history has that earlier snapshot, and `last`
// has its time.
static void
take_entry(struct history *history, const struct entry *entry, const struct sample *last,
	bool is_next, bool is_exit)
{
	struct sample now = sample_of(history, &entry->now);
	struct sample before = sample_of(history, &entry->before);
	before.time = last->time;
	before.clock = last->clock;
	before.calls = last->calls;

	bool is_new;
	struct tracked_source *tracked = tracked_source_of(history, entry->source, &is_new);
	bool is_gap = false;
	if (is_new) {
		tracked->has_origin = history->snapshots > 0
			&& knows_origin(history, entry->source, &before);
		tracked->origin = before;
		is_gap = !tracked->has_origin;
	} else if (tracked->shown_in + 1 < history->snapshots || !is_next) {
		is_gap = !is_as(&before, &tracked->last);
	}
	if (is_gap && is_next) {
		series_add(&tracked->series, &history->timeline, &before, true);
		is_gap = false;
	}
	tracked->last = is_exit ? before : now;
	tracked->shown_in = history->snapshots;
	tracked->is_at_exit = is_exit;
	if (is_exit)
		tracked->at_exit = now;
	else
		series_add(&tracked->series, &history->timeline, &now, is_gap);
}

// Returns the sum of all sources' counts: of blocks and of mapped memory.
static struct counts
held_by(const struct summary *summary)
{
	struct counts held = summary->total;

	counts_add(&held, &summary->mapped);
	return held;
}

static void
take_held(struct history *history, enum gauge gauge, const struct counts *held)
{
	struct sample sample = sample_of(history, held);
	series_add(&history->gauges[gauge], &history->timeline, &sample, false);
}

static void
take_gauge(struct history *history, enum gauge gauge, uint64_t bytes)
{
	take_held(history, gauge, &(struct counts){.live = bytes});
}

static void
take_gauges(struct history *history, const struct summary *summary)
{
	struct counts held = held_by(summary);
	uint64_t file = summary->file < summary->outside ? summary->file : summary->outside;

	take_held(history, GAUGE_LIVE, &held);
	take_held(history, GAUGE_BLOCKS, &summary->total);
	take_held(history, GAUGE_MAPPED, &summary->mapped);
	if (!summary->has_memory)
		return;
	take_gauge(history, GAUGE_RSS, summary->rss);
	take_gauge(history, GAUGE_ALIVE, summary->alive);
	take_gauge(history, GAUGE_FILE, summary->file);
	if (summary->has_shared)
		take_gauge(history, GAUGE_SHARED, summary->shared);
	take_gauge(history, GAUGE_OUTSIDE, summary->outside - file);
}

// Returns true if the snapshot may leave out sources that have changed.
static bool
may_hide(const struct history *history, const struct snapshot *snapshot, bool is_next)
{
	if (history->run->is_seeds || (history->snapshots > 0 && !is_next))
		return true;
	for (const struct snapshot *of = snapshot; of; of = of->mapped)
		for (size_t i = 0; i < of->entry_count; i++) {
			const struct entry *entry = &of->entries[i];
			if (entry->source->kind == SOURCE_REST && (entry->now.allocs != entry->before.allocs
					|| entry->now.frees != entry->before.frees))
				return true;
		}
	return false;
}

// Returns the work since the history's last snapshot. If the log has lost snapshots in between,
// each lost snapshot counts with as much work as this one. A snapshot that somebody asked for may
// have hardly any work. But two snapshots must not have the same time. So a snapshot's work counts
// as at least a sixteenth of the threshold: the work after which the library writes a snapshot.
static uint64_t
work_of(const struct history *history, const struct summary *summary)
{
	uint64_t least = summary->threshold / 16;
	uint64_t work = summary->churn > least ? summary->churn : least;
	bool has_gap = history->snapshots > 0 && summary->number > history->last_number;
	uint64_t steps = has_gap ? summary->number - history->last_number : 1;
	return work <= UINT64_MAX / steps ? work * steps : UINT64_MAX;
}

// Sets `silent` if the process has been silent (silence_ms) from the last snapshot until
// `until_ms`.
static void
be_silent(struct history *history, int64_t until_ms)
{
	const struct timeline *timeline = &history->timeline;
	double until = (double)(until_ms - timeline->start);
	double least = history->wait + fmax(silence_ms, silence_gaps * timeline->usual_gap);

	if (timeline->has_times && until - timeline->clock >= least)
		history->silent = until;
}

static void
take_exit(struct history *history, const struct summary *summary, bool is_next)
{
	struct sample *live = &history->exit[GAUGE_LIVE];
	uint64_t before = history->last->summary.total.alloc;

	// If more bytes than the threshold were allocated since the last snapshot, another one was
	// written and is lost. Then the process was not silent.
	if (is_next && summary->total.alloc - before <= summary->threshold)
		be_silent(history, summary->time_ms);
	history->exit_shows_all = summary->hidden == 0;
	live->clock = (double)(summary->time_ms - history->timeline.start);
	live->calls = held_by(summary).allocs;
	live->bytes = held_by(summary).live;
	history->exit[GAUGE_BLOCKS].bytes = summary->total.live;
	history->exit[GAUGE_RSS].bytes = summary->rss;
	history->exit[GAUGE_FILE].bytes = summary->file;
	history->exit[GAUGE_OUTSIDE].bytes = summary->outside > summary->file
		? summary->outside - summary->file : 0;
}

void
history_add(struct history *history, const struct snapshot *snapshot)
{
	ASSERT(snapshot->run == history->run);
	const struct summary *summary = &snapshot->summary;
	struct sample last = sample_of(history, &(struct counts){0});
	bool is_exit = strcmp(summary->reason, "exit") == 0;
	bool is_next = history->snapshots > 0 && summary->number == history->last_number + 1;

	history->has_exit = history->has_exit || is_exit;
	if (is_exit && history->snapshots == 0)
		return;
	if (!is_exit) {
		timeline_add(&history->timeline, &(struct beat){summary->time_ms, summary->number,
			work_of(history, summary), held_by(summary).allocs, summary->sources});
		take_gauges(history, summary);
	} else {
		take_exit(history, summary, is_next);
	}
	history->wait = (double)summary->wait_ms;
	if (history->snapshots == 0)
		history->first_number = summary->number;
	for (const struct snapshot *of = snapshot; of; of = of->mapped)
		for (size_t i = 0; i < of->entry_count; i++)
			if (!source_kind_is_sum(of->entries[i].source->kind))
				take_entry(history, &of->entries[i], &last, is_next, is_exit);
	if (is_exit)
		return;
	if (history->snapshots == 0)
		moment_set(history->first, snapshot);
	moment_set(history->last, snapshot);
	if (may_hide(history, snapshot, is_next)) {
		history->has_hidden = true;
		history->hidden_time = (double)history->timeline.now;
		history->hidden_clock = history->timeline.clock;
	}
	history->snapshots++;
	history->last_number = summary->number;
}

void
history_lives(struct history *history, int64_t now_ms)
{
	if (!history->has_exit)
		be_silent(history, now_ms);
}

void
history_is_over(struct history *history)
{
	history->is_over = true;
}

// Returns false if the log has no times. If all snapshots have the same time, the shares are NaN,
// so comparing them gives false as well.
bool
history_hides_at_start(const struct history *history)
{
	const struct timeline *timeline = &history->timeline;
	double by_work = history->hidden_time / (double)timeline->now;
	double by_clock = history->hidden_clock / timeline->clock;

	return timeline->has_times && by_work <= SHARE_HARDLY && by_clock <= SHARE_HARDLY;
}

size_t
history_sources(const struct history *history)
{
	return history->tracked_count;
}

const struct source *
history_source(const struct history *history, size_t number)
{
	ASSERT(number < history->tracked_count);
	return history->tracked[number].source;
}
