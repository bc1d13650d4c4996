// SPDX-License-Identifier: BSD-2-Clause
// The sum is made span by span. Where only some sources are known, the others count with their last
// known values, or before these with their first ones.

#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "trend/gc.h"
#include "trend/history.h"
#include "trend/series_walk.h"

// The sources that have this share of a place's growth have nearly all of it.
static const double nearly_all = 0.9;

// The sources of one place, as indexes in history->tracked.
struct place {
	size_t *members;
	size_t count, room;
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
sum_series(struct history *history, const struct place *place)
{
	const struct timeline *timeline = &history->timeline;
	struct series_walk *walks = memory_get(place->count, sizeof(*walks));
	struct series series = {.merges = timeline->merges, .room = timeline->count};
	bool was_known = true;

	for (size_t i = 0; i < place->count; i++)
		walks[i] = walk_open(history, place->members[i]);
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
	return (a->growth < b->growth) - (a->growth > b->growth);
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
		sum->joined_most += i == 0 || most < nearly_all * all;
		most += members[i].growth;
	}
	sum->source = sum->joined[0];
}

static void
join(struct history *history, const struct place *place)
{
	struct member *members = memory_get(place->count, sizeof(*members));
	struct tracked_source sum = {.series = sum_series(history, place), .is_at_exit = true};

	for (size_t i = 0; i < place->count; i++) {
		struct tracked_source *more = &history->tracked[place->members[i]];
		double left;
		sum.is_at_exit &= history_at_exit(history, place->members[i], &left);
		add_sample(&sum.last, &more->last);
		add_sample(&sum.at_exit, &more->at_exit);
		members[i] = member_of(more);
		free(more->series.points);
		*more = (struct tracked_source){0};
	}
	set_joined(&sum, members, place->count);
	history->tracked[place->members[0]] = sum;
	free(members);
}

void
history_join(struct history *history, bool (*wanted)(const struct source *source),
	size_t (*place_of)(const struct source *source))
{
	struct history_span span = history_span(history);
	struct place *places = memory_get(history->tracked_count + 1, sizeof(*places));
	struct trend_point points[TREND_MAX];
	struct intern keys = {0};
	size_t count = 0, left = 0;

	for (size_t i = 0; i < history->tracked_count; i++) {
		const struct source *source = history->tracked[i].source;
		if ((wanted && !wanted(source)) || !history_is_well_known(points,
				history_points(history, i, points), &span))
			continue;
		bool is_new;
		size_t key[] = {place_of(source), source->is_unseen, (size_t)gc_of(source)};
		struct place *place = &places[intern_number(&keys, key, sizeof(key), &is_new)];
		count += is_new;
		place->members = memory_grow(place->members, place->count, &place->room,
			sizeof(*place->members));
		place->members[place->count++] = i;
	}
	for (size_t i = 0; i < count; i++) {
		if (places[i].count > 1)
			join(history, &places[i]);
		free(places[i].members);
	}
	for (size_t i = 0; i < history->tracked_count; i++)
		if (history->tracked[i].source)
			history->tracked[left++] = history->tracked[i];
	history->tracked_count = left;
	free(places);
	intern_free(&keys);
}

const struct source *const *
history_joined(const struct history *history, size_t number, size_t *count, size_t *most)
{
	const struct tracked_source *tracked = &history->tracked[number];

	*count = tracked->joined ? tracked->joined_count : 1;
	*most = tracked->joined ? tracked->joined_most : 1;
	return tracked->joined ? tracked->joined : &tracked->source;
}
