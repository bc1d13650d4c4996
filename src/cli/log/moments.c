// SPDX-License-Identifier: BSD-2-Clause
// A source's states at all moments are stored as steps. A step is one state, which is valid from
// one moment until the next step begins. What a source had at a moment is known only later: when
// another snapshot shows the source, or at the log's end. So the state is stored only later, too.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "log/moments.h"

// If the moment's own snapshot proves the state, this is stored as shown_in. The snapshot's number
// would differ from moment to moment, so that each moment would need a step of its own.
#define SHOWN_THEN (NEVER_SHOWN - 1)

struct step_of_source {
	size_t from; // index of the first moment for which the step is valid
	struct state state;
};

struct moment_track {
	const struct source *source;
	struct state shown;   // the source's state when a snapshot last showed it
	size_t known;         // the source's state is stored for the first `known` moments
	struct step_of_source *steps;
	size_t step_count, step_room;
};

struct moments {
	struct run *run;
	struct moment_known *known;
	size_t count, room;
	struct moment_track *tracks;
	size_t track_count, track_room;
	struct numbers sources;      // number of each source, by its address
	struct hidings after; // the snapshots, up to the last one read, that may have hidden changes
	uint64_t least, most;        // lowest and highest live bytes since the last moment
	bool has_any;                // true if there were snapshots since the last moment
	// The first `proven` moments have no `hidings` (certainty.h) any more: a later snapshot has
	// proven that no snapshot up to these moments has hidden a change.
	size_t proven;
};

struct moments *
moments_open(struct run *run)
{
	struct moments *moments = memory_get(1, sizeof(*moments));
	moments->run = run;
	return moments;
}

void
moments_close(struct moments *moments)
{
	for (size_t i = 0; i < moments->track_count; i++)
		free(moments->tracks[i].steps);
	free(moments->tracks);
	free(moments->known);
	numbers_free(&moments->sources);
	free(moments);
}

static struct moment_track *
track_of(struct moments *moments, const struct source *source)
{
	bool is_new;
	size_t number = numbers_of(&moments->sources, (uintptr_t)source, &is_new);

	if (is_new) {
		ASSERT(number == moments->track_count);
		moments->tracks = memory_grow(moments->tracks, number, &moments->track_room,
			sizeof(*moments->tracks));
		moments->tracks[number] = (struct moment_track){.source = source,
			.shown.shown_in = NEVER_SHOWN};
		moments->track_count++;
	}
	return &moments->tracks[number];
}

// Stores the source's state at the next moment: the first for which no state of this source is
// stored yet.
static void
add_state(const struct moments *moments, struct moment_track *track, const struct state *known)
{
	ASSERT(track->known < moments->count);
	struct state state = *known;
	if (state.shown_in == moments->known[track->known].snapshots - 1)
		state.shown_in = SHOWN_THEN;
	struct step_of_source *last = track->step_count > 0 ? &track->steps[track->step_count - 1] : NULL;
	size_t from = track->known++;

	if (last && memcmp(&last->state.counts, &state.counts, sizeof(state.counts)) == 0
			&& last->state.shown_in == state.shown_in)
		return;
	track->steps = memory_grow(track->steps, track->step_count, &track->step_room,
		sizeof(*track->steps));
	track->steps[track->step_count++] = (struct step_of_source){from, state};
}

// Takes an entry of the snapshot. The entry tells what its source had at all moments since a
// snapshot last showed the source. These states are stored.
static void
take_entry(struct moments *moments, const struct entry *entry, bool is_next)
{
	struct moment_track *track = track_of(moments, entry->source);

	while (track->known < moments->count) {
		const struct moment_known *known = &moments->known[track->known];
		struct then then = {known->snapshots, &known->hidings};
		struct state state = moments->run->is_seeds ? track->shown
			: certainty_then(&then, &moments->after, &track->shown, &entry->before, is_next);
		add_state(moments, track, &state);
	}
	track->shown = entry->source->now;
}

static void
add_moment(struct moments *moments, const struct snapshot *snapshot, uint64_t order)
{
	const struct run *run = moments->run;

	moments->known = memory_grow(moments->known, moments->count, &moments->room,
		sizeof(*moments->known));
	struct moment_known *known = &moments->known[moments->count++];
	*known = (struct moment_known){.summary = snapshot->summary, .least = moments->least,
		.most = moments->most, .order = order, .snapshots = run->snapshots,
		.hidings = run->certainty->hidings};
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (snapshot->entries[i].source->kind == SOURCE_INHERITED)
			known->inherited = snapshot->entries[i].now;
	moments->has_any = false;
}

void
moments_take(struct moments *moments, const struct snapshot *snapshot, bool is_one,
	uint64_t order)
{
	uint64_t live = snapshot->summary.total.live;

	ASSERT(snapshot->run == moments->run && snapshot->summary.place == moments->run->snapshots);
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (!source_kind_is_sum(snapshot->entries[i].source->kind))
			take_entry(moments, &snapshot->entries[i], snapshot->summary.is_next);
	for (bool is_whole = certainty_is_whole(snapshot); is_whole && moments->proven < moments->count;)
		moments->known[moments->proven++].hidings.count = 0;
	moments->after = moments->run->certainty->hidings_after;
	moments->least = !moments->has_any || live < moments->least ? live : moments->least;
	moments->most = !moments->has_any || live > moments->most ? live : moments->most;
	moments->has_any = true;
	if (is_one)
		add_moment(moments, snapshot, order);
}

void
moments_end(struct moments *moments)
{
	for (size_t i = 0; i < moments->track_count; i++)
		while (moments->tracks[i].known < moments->count)
			add_state(moments, &moments->tracks[i], &moments->tracks[i].shown);
}

const struct run *
moments_run(const struct moments *moments)
{
	return moments->run;
}

size_t
moments_count(const struct moments *moments)
{
	return moments->count;
}

const struct moment_known *
moments_known(const struct moments *moments, size_t number)
{
	ASSERT(number < moments->count);
	return &moments->known[number];
}

size_t
moments_sources(const struct moments *moments)
{
	return moments->track_count;
}

const struct source *
moments_source(const struct moments *moments, size_t source)
{
	ASSERT(source < moments->track_count);
	return moments->tracks[source].source;
}

size_t
moments_changes(const struct moments *moments, size_t source)
{
	return moments->tracks[source].step_count;
}

const struct counts *
moments_counts(const struct moments *moments, size_t source, size_t number, size_t *change,
	bool *is_told)
{
	const struct moment_track *track = &moments->tracks[source];

	ASSERT(*change < track->step_count && track->steps[*change].from <= number);
	while (*change + 1 < track->step_count && track->steps[*change + 1].from <= number)
		++*change;
	const struct state *state = &track->steps[*change].state;
	*is_told = state->shown_in != NEVER_SHOWN && (moments->run->is_seeds
		|| certainty_tells(&moments->known[number].hidings, state));
	return &state->counts;
}
