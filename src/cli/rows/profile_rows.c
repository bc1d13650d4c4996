// SPDX-License-Identifier: BSD-2-Clause
// Looks up the names of a profile's rows, makes one row of all rows of a place, and sorts rows.

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbols/symbols.h"
#include "rows/profile.h"

void
profile_resolve(const struct profile *profile)
{
	struct symbols_wanted wanted = {0};

	for (size_t i = 0; i < profile->row_count; i++)
		symbols_want(&wanted, profile->rows[i].frames, profile->rows[i].depth);
	symbols_resolve_wanted(&wanted);
}

struct joining {
	struct grouping places;
	size_t *rows; // of each place the index of its row
	size_t room;
	struct grouping sources; // numbers all rows as they were
	size_t *joined;          // of each of these the index of the row that it is part of
};

static void
join(struct row *into, const struct row *row)
{
	row_add(into, row);
	row_share(into, &row->by, false);
	grouping_cut(into, row);
	into->id = row->id < into->id ? row->id : into->id;
	into->is_in_before |= row->is_in_before;
	into->is_in_now |= row->is_in_now;
}

// Counts in how many runs each row has a source. One run may have several sources of a row.
static void
count_processes(const struct joining *joining, struct profile *profile)
{
	size_t *latest = memory_get(profile->row_count, sizeof(*latest)); // the run that was counted last

	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].kind == SOURCE_STACK)
			profile->rows[i].processes = 0;
	for (size_t i = 0; i < 2 * profile->run_count; i++) {
		const struct profile_run *of = &profile->runs[i / 2];
		const struct run *run = i % 2 ? of->run->mapped : of->run;
		for (size_t k = 0; run && k < run_sources(run); k++) {
			struct row row = row_of_source(run_source_at(run, k));
			bool is_told;
			moment_state(of->at_moment, run_source_at(run, k), &is_told);
			size_t number = is_told ? grouping_find(&joining->sources, &row) : INTERN_NONE;
			if (number == INTERN_NONE || row.kind != SOURCE_STACK)
				continue;
			number = joining->joined[number];
			profile->rows[number].processes += latest[number] <= i / 2;
			latest[number] = i / 2 + 1;
		}
	}
	free(latest);
}

// Returns the index of the row that has the sum of the row's place. Returns `count` for the first
// row of a place.
static size_t
index_of(struct joining *joining, const struct row *row, size_t count)
{
	bool is_new;
	size_t number = grouping_number(&joining->places, row, &is_new);

	if (is_new) {
		joining->rows = memory_grow(joining->rows, number, &joining->room, sizeof(size_t));
		joining->rows[number] = count;
	}
	return joining->rows[number];
}

void
profile_join(struct profile *profile)
{
	struct joining joining = {.places = {.by = GROUPING_BY_PLACE},
		.joined = memory_get(profile->row_count, sizeof(size_t))};
	size_t count = 0;

	profile_resolve(profile);
	for (size_t i = 0; i < profile->row_count; i++) {
		struct row row = profile->rows[i];
		size_t index = index_of(&joining, &row, count);
		joining.joined[grouping_number(&joining.sources, &row, NULL)] = index;
		if (index == count)
			profile->rows[count++] = row;
		else
			join(&profile->rows[index], &row);
	}
	profile->row_count = count;
	if (profile->run_count > 1)
		count_processes(&joining, profile);
	grouping_free(&joining.sources);
	grouping_free(&joining.places);
	free(joining.joined);
	free(joining.rows);
}

// Arguments of the comparison function for qsort().
static enum value sort_value;
static bool sort_difference;

static int64_t
sort_key(const struct row *row)
{
	return sort_difference ? (int64_t)unit_magnitude(row_difference(row, sort_value))
		: row_value(row, sort_value);
}

static int
by_key(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int64_t key_a = sort_key(a);
	int64_t key_b = sort_key(b);

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (key_a != key_b)
		return key_a > key_b ? -1 : 1;
	if (a->id != b->id)
		return a->id > b->id ? 1 : -1;
	if (a->process != b->process)
		return a->process > b->process ? 1 : -1;
	return (int)a->is_mapped - (int)b->is_mapped;
}

void
profile_sort(struct profile *profile, enum value value, bool difference)
{
	sort_value = value;
	sort_difference = difference;
	memory_sort(profile->rows, profile->row_count, sizeof(*profile->rows), by_key);
}

bool
profile_adds_up(const struct profile *profile)
{
	struct counts now = {0}, before = {0};

	for (size_t i = 0; i < profile->row_count; i++) {
		counts_add(&now, &profile->rows[i].now);
		counts_add(&before, &profile->rows[i].before);
	}
	return memcmp(&now, &profile->total.now, sizeof(now)) == 0
		&& memcmp(&before, &profile->total.before, sizeof(before)) == 0;
}

size_t
profile_sources(const struct profile *profile)
{
	size_t count = 0;
	for (size_t i = 0; i < profile->row_count; i++)
		count += profile->rows[i].kind == SOURCE_STACK;
	return count;
}
