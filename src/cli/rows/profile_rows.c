// SPDX-License-Identifier: BSD-2-Clause
// Looks up the names of a profile's rows, and sorts them.

#include <stdlib.h>
#include <string.h>

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
	const struct row *a = left;
	const struct row *b = right;
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
	if (profile->row_count > 1)
		qsort(profile->rows, profile->row_count, sizeof(*profile->rows), by_key);
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
