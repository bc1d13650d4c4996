// SPDX-License-Identifier: BSD-2-Clause
// The sums are made span by span. Where only some sources are known, the others count with their last
// known values, or before these with their first ones.

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "trend/gc.h"
#include "trend/history.h"
#include "trend/series_walk.h"

// The sources of one place: `first` is an index in history->tracked, and so is next[i] for each
// source i but the last one.
struct place {
	size_t first, last, count;
};

struct places {
	struct place *all;
	size_t count;
	size_t *next;
	struct intern keys; // a place's key has the place's number
};

// Returns the sum. Damaged logs have any numbers, so it may not be larger than a number can be.
static uint64_t
sum_of(uint64_t a, uint64_t b)
{
	return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static void
add_sample(struct sample *sum, const struct sample *more)
{
	sum->bytes = sum_of(sum->bytes, more->bytes);
	sum->blocks = sum_of(sum->blocks, more->blocks);
	sum->allocs = sum_of(sum->allocs, more->allocs);
}

static void
add_values(struct series_point *sum, const struct series_point *more)
{
	add_sample(&sum->floor, &more->floor);
	sum->peak = sum_of(sum->peak, more->peak);
	sum->last = sum_of(sum->last, more->last);
	sum->last_blocks = sum_of(sum->last_blocks, more->last_blocks);
	sum->last_allocs = sum_of(sum->last_allocs, more->last_allocs);
	sum->sum += more->sum / more->told;
	sum->told = more->told > sum->told ? more->told : sum->told;
}

// Returns the sum of the members' series.
static struct series
sum_series(struct history *history, const struct place *place, const size_t *next)
{
	const struct timeline *timeline = &history->timeline;
	struct series_walk *walks = memory_get(place->count, sizeof(*walks));
	struct series series = {.merges = timeline->merges, .room = timeline->count};
	bool was_known = true;

	for (size_t k = 0, i = place->first; k < place->count; k++, i = next[i])
		walks[k] = walk_open(history, i);
	series.points = memory_get(timeline->count, sizeof(*series.points));
	for (uint32_t i = 0; i < timeline->count; i++) {
		const struct span *span = &timeline->spans[i];
		struct series_point sum = {.span = span->first, .first = span->first}, more;
		uint64_t largest = 0;
		bool is_known = false;
		for (size_t k = 0; k < place->count; k++) {
			is_known |= walk_span(&walks[k], span, &more);
			// A sum's floor has the time of its largest part.
			if (k == 0 || more.floor.bytes > largest) {
				largest = more.floor.bytes;
				sum.floor.time = more.floor.time;
				sum.floor.clock = more.floor.clock;
				sum.floor.calls = more.floor.calls;
			}
			add_values(&sum, &more);
		}
		sum.sum *= sum.told;
		sum.is_gap = !was_known;
		was_known = is_known;
		if (is_known)
			series.points[series.count++] = sum;
	}
	free(walks);
	return series;
}

struct member {
	const struct source *source;
	double growth; // since the source's first point
};

static struct member
member_of(const struct tracked_source *tracked)
{
	const struct series *series = &tracked->series;
	const struct sample *first = tracked->has_origin || series->count == 0 ? &tracked->origin
		: &series->points[0].floor;

	return (struct member){tracked->source, (double)tracked->last.bytes - (double)first->bytes};
}

static int
by_growth(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->growth != b->growth)
		return a->growth > b->growth ? -1 : 1;
	return (a->source->id > b->source->id) - (a->source->id < b->source->id);
}

// Sets the joined sources of `sum`. Sorts the members.
static void
set_joined(struct tracked_source *sum, struct member *members, size_t count)
{
	double all = 0, most = 0;

	qsort(members, count, sizeof(*members), by_growth);
	sum->joined = memory_get(count, sizeof(*sum->joined));
	sum->joined_count = count;
	for (size_t i = 0; i < count; i++)
		all += fmax(members[i].growth, 0);
	for (size_t i = 0; i < count; i++) {
		sum->joined[i] = members[i].source;
		sum->joined_most += i == 0 || most < (1 - SHARE_HARDLY) * all;
		most += members[i].growth;
	}
	sum->source = sum->joined[0];
}

static void
join(struct history *history, const struct place *place, const size_t *next)
{
	struct member *members = memory_get(place->count, sizeof(*members));
	struct tracked_source sum = {.series = sum_series(history, place, next), .is_at_exit = true,
		.is_well_known = true};

	for (size_t k = 0, i = place->first; k < place->count; k++, i = next[i]) {
		struct tracked_source *more = &history->tracked[i];
		double left;
		sum.is_at_exit &= history_at_exit(history, i, &left);
		add_sample(&sum.last, &more->last);
		add_sample(&sum.at_exit, &more->at_exit);
		members[k] = member_of(more);
		free(more->series.points);
		*more = (struct tracked_source){0};
	}
	set_joined(&sum, members, place->count);
	history->tracked[place->first] = sum;
	free(members);
}

// Adds a source to its place.
static void
add_member(struct places *places, const struct history *history, size_t number,
	size_t (*place_of)(const struct source *source))
{
	const struct source *source = history->tracked[number].source;
	size_t key[] = {place_of(source), source->is_unseen, (size_t)gc_of(source)};
	bool is_new;
	struct place *place = &places->all[intern_number(&places->keys, key, sizeof(key), &is_new)];

	if (is_new)
		places->all[places->count++].first = number;
	else
		places->next[place->last] = number;
	place->last = number;
	place->count++;
}

static struct places
places_open(const struct history *history)
{
	size_t count = history->tracked_count + 1;

	return (struct places){.all = memory_get(count, sizeof(struct place)),
		.next = memory_get(count, sizeof(size_t))};
}

static void
places_close(struct places *places)
{
	free(places->all);
	free(places->next);
	intern_free(&places->keys);
}

static uint64_t
less(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

static void
subtract(struct series_point *rest, const struct series_point *part)
{
	rest->floor.bytes = less(rest->floor.bytes, part->floor.bytes);
	rest->floor.blocks = less(rest->floor.blocks, part->floor.blocks);
	rest->floor.allocs = less(rest->floor.allocs, part->floor.allocs);
	rest->peak = less(rest->peak, part->peak);
	rest->last = less(rest->last, part->last);
	rest->last_blocks = less(rest->last_blocks, part->last_blocks);
	rest->last_allocs = less(rest->last_allocs, part->last_allocs);
	rest->sum = fmax(rest->sum - part->sum / part->told * rest->told, 0);
}

// Parts have their floors at different moments, so the rest's floor may seem higher than its mean or
// its last value. A part that was unknown for a while may take more allocations at once than all have
// made.
static void
tidy_rest(struct series_point *rest, const struct series_point *before)
{
	uint64_t mean = (uint64_t)(rest->sum / rest->told);

	rest->floor.bytes = mean < rest->floor.bytes ? mean : rest->floor.bytes;
	rest->floor.bytes = rest->last < rest->floor.bytes ? rest->last : rest->floor.bytes;
	if (rest->floor.blocks > rest->last_blocks)
		rest->floor.blocks = rest->last_blocks;
	if (rest->peak < rest->floor.bytes)
		rest->peak = rest->floor.bytes;
	if (rest->floor.allocs < before->floor.allocs)
		rest->floor.allocs = before->floor.allocs;
	if (rest->last_allocs < before->last_allocs)
		rest->last_allocs = before->last_allocs;
}

// Returns the series of all blocks, less those of all well known sources.
static struct series
rest_series(struct history *history)
{
	const struct timeline *timeline = &history->timeline;
	struct series_walk *walks = memory_get(history->tracked_count + 1, sizeof(*walks));
	struct series_walk all = walk_open_gauge(history, GAUGE_BLOCKS);
	struct series series = {.merges = timeline->merges, .room = timeline->count};
	size_t known = 0;

	for (size_t i = 0; i < history->tracked_count; i++)
		if (history->tracked[i].is_well_known && !history->tracked[i].source->is_mapped)
			walks[known++] = walk_open(history, i);
	series.points = memory_get(timeline->count, sizeof(*series.points));
	for (uint32_t i = 0; i < timeline->count; i++) {
		struct series_point rest, part;
		walk_span(&all, &timeline->spans[i], &rest);
		for (size_t k = 0; k < known; k++) {
			walk_span(&walks[k], &timeline->spans[i], &part);
			subtract(&rest, &part);
		}
		tidy_rest(&rest, series.count > 0 ? &series.points[series.count - 1] : &rest);
		series.points[series.count++] = rest;
	}
	free(walks);
	return series;
}

// Sets the rest's stack, and the sources that it is joined of: those of the place with most growth. If
// the log never shows such sources, the stack is of what it does show.
static void
name_rest(struct history *history, struct tracked_source *rest, struct places *places,
	size_t (*place_of)(const struct source *source))
{
	bool are_shown = places->count > 0;

	for (size_t i = 0; !are_shown && i < history->tracked_count; i++)
		if (!history->tracked[i].source->is_mapped)
			add_member(places, history, i, place_of);
	if (places->count == 0)
		return;
	const struct place *most = &places->all[0];
	double growth_of_most = -1, all = 0;

	for (size_t i = 0; i < places->count; i++) {
		const struct place *place = &places->all[i];
		double growth = 0;
		for (size_t k = 0, at = place->first; k < place->count; k++, at = places->next[at])
			growth += fmax(member_of(&history->tracked[at]).growth, 0);
		all += growth;
		if (growth > growth_of_most) {
			growth_of_most = growth;
			most = place;
		}
	}
	struct member *members = memory_get(most->count, sizeof(*members));
	for (size_t k = 0, at = most->first; k < most->count; k++, at = places->next[at])
		members[k] = member_of(&history->tracked[at]);
	set_joined(rest, members, most->count);
	history->rest.frames = rest->source->frames;
	history->rest.depth = rest->source->depth;
	if (!are_shown || growth_of_most < SHARE_MOST * all) {
		free(rest->joined);
		rest->joined = NULL;
	}
	free(members);
}

static void
add_rest(struct history *history, size_t (*place_of)(const struct source *source))
{
	struct places places = places_open(history);
	struct tracked_source rest = {.last.bytes = (uint64_t)history_gauge_last(history, GAUGE_BLOCKS),
		.at_exit.bytes = history->exit[GAUGE_BLOCKS].bytes,
		.is_at_exit = history->has_exit && history->exit_shows_all};

	history->rest = (struct source){.kind = SOURCE_REST};
	for (size_t i = 0; i < history->tracked_count; i++) {
		const struct tracked_source *tracked = &history->tracked[i];
		if (tracked->source->is_mapped)
			continue;
		if (!tracked->is_well_known) {
			history->rest.is_unseen |= tracked->source->is_unseen;
			add_member(&places, history, i, place_of);
			continue;
		}
		rest.last.bytes = less(rest.last.bytes, tracked->last.bytes);
		rest.at_exit.bytes = less(rest.at_exit.bytes, tracked->at_exit.bytes);
	}
	if (history->tracked_count > 0 && (places.count > 0 || history->has_hidden)) {
		rest.series = rest_series(history);
		name_rest(history, &rest, &places, place_of);
		rest.source = &history->rest;
		history->tracked = memory_grow(history->tracked, history->tracked_count,
			&history->tracked_room, sizeof(*history->tracked));
		history->tracked[history->tracked_count++] = rest;
	}
	places_close(&places);
}

void
history_join(struct history *history, bool (*wanted)(const struct source *source),
	size_t (*place_of)(const struct source *source))
{
	struct history_span span = history_span(history);
	struct places places = places_open(history);
	struct trend_point points[TREND_MAX];
	size_t left = 0;

	for (size_t i = 0; i < history->tracked_count; i++) {
		struct tracked_source *tracked = &history->tracked[i];
		tracked->is_well_known = !history->has_hidden || history_is_well_known(points,
			history_points(history, i, points), &span);
		if (tracked->is_well_known && (!wanted || wanted(tracked->source)))
			add_member(&places, history, i, place_of);
	}
	for (size_t i = 0; i < places.count; i++)
		if (places.all[i].count > 1)
			join(history, &places.all[i], places.next);
	for (size_t i = 0; i < history->tracked_count; i++)
		if (history->tracked[i].source)
			history->tracked[left++] = history->tracked[i];
	history->tracked_count = left;
	places_close(&places);
	if (!wanted)
		add_rest(history, place_of);
}

const struct source *const *
history_joined(const struct history *history, size_t number, size_t *count, size_t *most)
{
	const struct tracked_source *tracked = &history->tracked[number];

	*count = tracked->joined ? tracked->joined_count : 1;
	*most = tracked->joined ? tracked->joined_most : 1;
	return tracked->joined ? tracked->joined : &tracked->source;
}
