// SPDX-License-Identifier: BSD-2-Clause
// A snapshot that shows a source also has the source's counts of the snapshot before. At that time the
// states at earlier moments are stored, as steps. A step is valid from one moment until the next step
// begins. Before the first step, the source had nothing.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "log/moments.h"

// If the moment's own snapshot proves the state, this is stored as shown_in. The snapshot's number
// would differ from moment to moment, so that each moment would need a step of its own.
#define SHOWN_THEN (NEVER_SHOWN - 1)

struct step {
	uint64_t from; // summary.place of the first moment for which the step is valid
	struct state state;
};

static const struct state nothing = {.shown_in = SHOWN_THEN};

struct moment_known *
moment_new(struct run *run, bool has_more)
{
	struct moment_known *moment = memory_get(1, sizeof(*moment));
	moment->run = run;
	if (has_more)
		moment->more = memory_get(1, sizeof(*moment->more));
	return moment;
}

// Takes the moment out of its run's moments, if it was set.
static void
leave(struct moment_known *moment)
{
	struct run *run = moment->run;
	size_t i = run->moment_count;

	while (i > 0 && run->moments[i - 1] != moment)
		i--;
	if (i == 0)
		return;
	run->moment_count--;
	memmove(&run->moments[i - 1], &run->moments[i],
		(run->moment_count + 1 - i) * sizeof(struct moment_known *));
}

static void *
copy(void *items, size_t *room, const void *from, size_t count, size_t size)
{
	if (count == 0)
		return items;
	items = memory_room(items, count, room, size);
	return memcpy(items, from, count * size);
}

static void
set_more(struct moment_more *more, const struct run *run)
{
	struct threads threads = run->threads;
	struct labels labels = run->labels;

	threads.room = more->threads.room;
	threads.threads = copy(more->threads.threads, &threads.room, run->threads.threads, threads.count,
		sizeof(*threads.threads));
	labels.room = more->labels.room;
	labels.labels = copy(more->labels.labels, &labels.room, run->labels.labels, labels.count,
		sizeof(*labels.labels));
	*more = (struct moment_more){threads, labels, run->fullest, run->mapped->certainty->hidings};
}

void
moment_set(struct moment_known *moment, const struct snapshot *snapshot)
{
	struct run *run = moment->run;

	ASSERT(snapshot->run == run && snapshot->summary.place == run->snapshots);
	leave(moment);
	run->moments = memory_grow(run->moments, run->moment_count, &run->moment_room,
		sizeof(*run->moments));
	run->moments[run->moment_count++] = moment;
	moment->summary = snapshot->summary;
	moment->inherited = (struct counts){0};
	moment->hidings = run->certainty->hidings;
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (snapshot->entries[i].source->kind == SOURCE_INHERITED)
			moment->inherited = snapshot->entries[i].now;
	if (moment->more)
		set_more(moment->more, run);
}

void
moment_free(struct moment_known *moment)
{
	leave(moment);
	if (moment->more) {
		free(moment->more->threads.threads);
		free(moment->more->labels.labels);
	}
	free(moment->more);
	free(moment);
}

static const struct hidings *
hidings_of(const struct moment_known *moment, bool is_mapped)
{
	ASSERT(!is_mapped || moment->more);
	return is_mapped ? &moment->more->hidings : &moment->hidings;
}

// Returns true if a snapshot after the moment has shown the source, so that its state is a step's.
static bool
is_stored(const struct moment_known *moment, const struct source *source)
{
	return source->now.shown_in != NEVER_SHOWN && moment->summary.place <= source->now.shown_in;
}

// Returns the number, from 0 on, of the last snapshot that may have hidden a source with `live`
// bytes. If no snapshot may have, also returns 0. For the caller this makes no difference: snapshot
// 0 is never later than a moment.
static uint64_t
last_hiding(const struct hidings *hidings, uint64_t live)
{
	for (unsigned i = hidings->count; i > 0; i--)
		if (hidings->items[i - 1].live >= live)
			return hidings->items[i - 1].snapshot;
	return 0;
}

// Returns what the source had at the moment, when a later snapshot N shows it again. N also says what the
// source had in snapshot N - 1: `before`. `is_next` is true if that snapshot was read. If the source cannot
// have changed between the moment and N - 1, it had `before` at the moment, too. Otherwise, if its last
// shown state was still right at the moment, it had that. If both are unsure, returns `before` as an upper
// limit. Bytes and calls only grow, so at the moment the source had allocated and freed no more than that.
// *shown_in is NEVER_SHOWN if the counts are not proven, or the number of the snapshot that proves them.
static const struct counts *
counts_then(const struct moment_known *moment, const struct source *source,
	const struct counts *before, bool is_next, uint64_t *shown_in)
{
	const struct run *run = run_of_source(moment->run, source);
	const struct state *shown = &source->now;
	uint64_t place = moment->summary.place;

	*shown_in = shown->shown_in;
	if (run->is_seeds)
		return &shown->counts;
	if (before->allocs == 0
			|| (is_next && last_hiding(&run->certainty->hidings_after, before->live) < place)
			|| (shown->shown_in != NEVER_SHOWN
				&& memcmp(before, &shown->counts, sizeof(*before)) == 0)) {
		*shown_in = SHOWN_THEN;
		return before;
	}
	if (certainty_tells(hidings_of(moment, source->is_mapped), shown)) {
		*shown_in = shown->shown_in == place - 1 ? SHOWN_THEN : shown->shown_in;
		return &shown->counts;
	}
	*shown_in = NEVER_SHOWN;
	return before;
}

// Stores what the source had at moment number `number`, and at later moments until the next step. A
// step that no moment needs any more is replaced, or removed.
static void
add_step(const struct run *run, struct source *source, size_t number, const struct counts *counts,
	uint64_t shown_in)
{
	const struct moment_known *moment = run->moments[number];
	uint64_t before = number > 0 ? run->moments[number - 1]->summary.place : 0;
	size_t count = source->step_count;
	const struct state *last = count > 0 ? &source->steps[count - 1].state : &nothing;
	const struct share *by = &source->now.by;

	if (count > 0 && source->steps[count - 1].from > before)
		count--;
	else if (last->shown_in == shown_in && memcmp(&last->counts, counts, sizeof(*counts)) == 0
			&& last->by.name == by->name && last->by.id == by->id && last->by.percent == by->percent)
		return;
	while (count > 1 && source->steps[1].from <= run->moments[0]->summary.place)
		memmove(source->steps, source->steps + 1, --count * sizeof(struct step));
	if (count == source->step_room)
		source->steps = memory_grow(source->steps, count, &source->step_room, sizeof(struct step));
	source->steps[count] = (struct step){moment->summary.place, {*counts, shown_in, source->now.by}};
	source->step_count = count + 1;
}

// Stores what the entry's source had at all moments since a snapshot last showed it.
static void
take_entry(const struct run *run, const struct entry *entry, bool is_next)
{
	struct source *source = entry->source;
	size_t i = run->moment_count;
	uint64_t shown_in;

	while (i > 0 && !is_stored(run->moments[i - 1], source))
		i--;
	for (; i < run->moment_count; i++) {
		const struct moment_known *moment = run->moments[i];
		if (source->is_mapped && !moment->more)
			continue;
		const struct counts *counts = counts_then(moment, source, &entry->before, is_next,
			&shown_in);
		add_step(run, source, i, counts, shown_in);
	}
}

void
moments_before(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (!source_kind_is_sum(snapshot->entries[i].source->kind))
			take_entry(snapshot->run->process, &snapshot->entries[i], snapshot->summary.is_next);
}

void
moments_proven(const struct run *run)
{
	const struct run *process = run->process;

	for (size_t i = process->moment_count; i-- > 0;) {
		struct moment_known *moment = process->moments[i];
		struct hidings *hidings = run == process ? &moment->hidings
			: moment->more ? &moment->more->hidings : NULL;
		// What proves a moment proves all before it.
		if (hidings && hidings->count == 0)
			return;
		if (hidings)
			hidings->count = 0;
	}
}

static const struct state *
stored_state(const struct moment_known *moment, const struct source *source)
{
	size_t low = 0, high = source->step_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (source->steps[middle].from <= moment->summary.place)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &source->steps[low - 1].state : &nothing;
}

const struct state *
moment_state(const struct moment_known *moment, const struct source *source, bool *is_told)
{
	const struct run *run = run_of_source(moment->run, source);
	const struct state *state = is_stored(moment, source) ? stored_state(moment, source)
		: &source->now;

	*is_told = state->shown_in != NEVER_SHOWN
		&& (run->is_seeds || certainty_tells(hidings_of(moment, source->is_mapped), state));
	return state;
}

struct counts
moment_label(const struct moment_known *moment, const char *name)
{
	const struct labels *labels = &moment->more->labels;
	size_t number = numbers_find(&moment->run->label_numbers, (uintptr_t)name);

	ASSERT(number >= labels->count || labels->labels[number].name == name);
	return number < labels->count ? labels->labels[number].now : (struct counts){0};
}

void
moments_free(struct run *run)
{
	while (run->moment_count > 0)
		moment_free(run->moments[run->moment_count - 1]);
	free(run->moments);
	for (struct run *of = run; of; of = of->mapped)
		for (size_t i = 0; i < run_sources(of); i++)
			free(run_source_at(of, i)->steps);
}
