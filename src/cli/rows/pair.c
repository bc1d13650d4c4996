// SPDX-License-Identifier: BSD-2-Clause


#include "base/assert.h"
#include "rows/grouping.h"
#include "rows/pair.h"

static struct profile_rows
rows_of(struct profile *pair, bool by_name)
{
	return (struct profile_rows){.of = pair,
		.grouping.by = by_name ? GROUPING_BY_NAME : GROUPING_BY_ID};
}

void
pair_of_one(struct profile *pair, const struct profile *profile, bool by_name)
{
	struct profile_rows rows = rows_of(pair, by_name);

	*pair = (struct profile){.total = profile->total, .mapped = profile->mapped,
		.is_seeds = profile->is_seeds,
		.is_sampled = profile->is_sampled,
		.runs = profile->runs, .run_count = profile->run_count};
	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		// Leaves out a source whose counts are all 0 at both moments, such as one that first
		// appears later in the log.
		if (row->kind != SOURCE_REST && !profile->is_seeds && counts_are_zero(&row->before)
				&& counts_are_zero(&row->now))
			continue;
		struct row *into = profile_row(&rows, row);
		row_add(into, row);
		into->is_in_before = into->is_in_now = true;
	}
	// Only the division of counts between sources and {rest} is uncertain, not their sum. The
	// uncertainty is marked at the sources alone, so {other} and {rest} are shown as certain.
	for (size_t i = 0; i < pair->row_count; i++)
		if (pair->rows[i].kind != SOURCE_STACK)
			pair->rows[i].uncertain = CERTAIN;
	ASSERT(profile_adds_up(pair));
	profile_rows_free(&rows);
}

static struct counts
rest_of(const struct profile *profile, bool is_mapped)
{
	for (size_t i = 0; i < profile->row_count; i++)
		if (profile->rows[i].kind == SOURCE_REST && profile->rows[i].is_mapped == is_mapped)
			return profile->rows[i].now;
	return (struct counts){0};
}

// Returns which values are uncertain for a source that one profile lacks: its counts may be in that
// profile's {rest}.
static unsigned
uncertain_by(const struct profile *missing, bool is_mapped)
{
	struct counts rest = rest_of(missing, is_mapped);
	unsigned uncertain = CERTAIN;

	for (int value = 0; value < VALUES; value++)
		if (missing->is_seeds || counts_value(&rest, (enum value)value) > 0)
			uncertain |= 1u << value;
	return uncertain;
}

void
pair_of_two(struct profile *pair, const struct profile *before, const struct profile *after,
	bool by_name)
{
	struct profile_rows rows = rows_of(pair, by_name);

	*pair = (struct profile){.total = {.now = after->total.now, .before = before->total.now},
		.mapped = {.now = after->mapped.now, .before = before->mapped.now},
		.is_seeds = before->is_seeds || after->is_seeds,
		.is_sampled = before->is_sampled || after->is_sampled};
	pair->total.noise.growth = before->total.noise.now + after->total.noise.now;
	for (size_t i = 0; i < before->row_count; i++) {
		struct row *into = profile_row(&rows, &before->rows[i]);
		counts_add(&into->before, &before->rows[i].now);
		into->noise.growth += before->rows[i].noise.now;
		into->is_in_before = true;
	}
	for (size_t i = 0; i < after->row_count; i++) {
		const struct row *row = &after->rows[i];
		struct row *into = profile_row(&rows, row);
		counts_add(&into->now, &row->now);
		into->noise.growth += row->noise.now;
		into->is_in_now = true;
		into->id = row->id;
		into->frames = row->frames;
		into->depth = row->depth;
	}
	for (size_t i = 0; i < pair->row_count; i++) {
		struct row *row = &pair->rows[i];
		if (row->kind == SOURCE_STACK && !row->is_in_before)
			row->uncertain |= pair->is_seeds ? UNCERTAIN : uncertain_by(before, row->is_mapped);
		if (row->kind == SOURCE_STACK && !row->is_in_now)
			row->uncertain |= pair->is_seeds ? UNCERTAIN : uncertain_by(after, row->is_mapped);
	}
	ASSERT(profile_adds_up(pair));
	profile_rows_free(&rows);
}

size_t
pair_common(const struct profile *pair)
{
	size_t common = 0;
	for (size_t i = 0; i < pair->row_count; i++) {
		const struct row *row = &pair->rows[i];
		common += row->kind == SOURCE_STACK && row->is_in_before && row->is_in_now;
	}
	return common;
}

// Adds the names of sources that are in only one of the two moments. With is_now this is the later
// moment, otherwise the earlier one. Sources with the same names are one group. Returns how many of
// the sources are in one of the first `known` groups.
static size_t
add_alone(struct grouping *names, const struct profile *pair, bool is_now, size_t known)
{
	size_t count = 0;

	for (size_t i = 0; i < pair->row_count; i++) {
		const struct row *row = &pair->rows[i];
		if (row->kind != SOURCE_STACK || row->is_in_before == row->is_in_now
			|| row->is_in_now != is_now)
			continue;
		count += grouping_number(names, row, NULL) < known;
	}
	return count;
}

size_t
pair_same_names(const struct profile *pair)
{
	struct grouping names = {.by = GROUPING_BY_NAME};

	add_alone(&names, pair, false, 0);
	size_t count = add_alone(&names, pair, true, names.keys.count);
	grouping_free(&names);
	return count;
}
