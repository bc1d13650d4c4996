// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows/row.h"

const char *const value_names[] = {
	[VALUE_LIVE] = "live",
	[VALUE_BLOCKS] = "blocks",
	[VALUE_ALLOC] = "alloc",
	[VALUE_ALLOCS] = "allocs",
	[VALUE_FREE] = "free",
	[VALUE_FREES] = "frees",
	[VALUE_CHURN] = "churn",
	[VALUE_GROWTH] = "growth",
	[VALUE_OLDER] = "older",
	NULL,
};

bool
value_is_bytes(enum value value)
{
	return value != VALUE_BLOCKS && value != VALUE_ALLOCS && value != VALUE_FREES;
}

char *
value_text(char text[UNIT_TEXT], enum value value, int64_t number)
{
	bool is_signed = value == VALUE_GROWTH || number < 0;

	if (value_is_bytes(value))
		return is_signed ? unit_signed_bytes(text, number) : unit_bytes(text, (uint64_t)number);
	return is_signed ? unit_signed_count(text, number) : unit_count(text, (uint64_t)number);
}

uint64_t
counts_value(const struct counts *counts, enum value value)
{
	switch (value) {
	case VALUE_LIVE:
		return counts->live;
	case VALUE_BLOCKS:
		return counts->blocks;
	case VALUE_ALLOC:
		return counts->alloc;
	case VALUE_ALLOCS:
		return counts->allocs;
	case VALUE_FREE:
		return counts->free;
	case VALUE_FREES:
		return counts->frees;
	default:
		return 0;
	}
}

int64_t
row_value(const struct row *row, enum value value)
{
	const struct counts *now = &row->now;
	const struct counts *before = &row->before;

	if (value == VALUE_CHURN)
		return (int64_t)(now->alloc + now->free - before->alloc - before->free);
	if (value == VALUE_GROWTH)
		return row_difference(row, VALUE_LIVE);
	if (value == VALUE_OLDER)
		return (int64_t)row_older(row, false);
	return (int64_t)counts_value(now, value);
}

int64_t
row_difference(const struct row *row, enum value value)
{
	return (int64_t)(counts_value(&row->now, value) - counts_value(&row->before, value));
}

uint64_t
row_older(const struct row *row, bool is_blocks)
{
	uint64_t by_then = is_blocks ? row->before.allocs : row->before.alloc;
	uint64_t freed = is_blocks ? row->now.frees : row->now.free;

	// An uncertain count at the earlier moment may be too high, so no lower bound is known.
	if (row->uncertain & (1 << (is_blocks ? VALUE_ALLOCS : VALUE_ALLOC)))
		return 0;
	// Counts of {rest} may be negative.
	int64_t older = (int64_t)(by_then - freed);
	return older > 0 ? (uint64_t)older : 0;
}

uint64_t
row_size(const struct row *row, enum value value, bool difference)
{
	if (!value_is_bytes(value))
		value = VALUE_LIVE;
	return unit_magnitude(difference ? row_difference(row, value) : row_value(row, value));
}

double
row_error(const struct row *row, bool difference)
{
	return sqrt(difference ? row->noise.growth : row->noise.now);
}

void
noise_add(struct noise *sum, const struct noise *more)
{
	sum->now += more->now;
	sum->before += more->before;
	sum->growth += more->growth;
}

void
row_add(struct row *sum, const struct row *more)
{
	counts_add(&sum->now, &more->now);
	counts_add(&sum->before, &more->before);
	noise_add(&sum->noise, &more->noise);
	sum->uncertain |= more->uncertain;
}

void
row_share(struct row *row, const struct share *by, bool is_first)
{
	if (is_first) {
		row->by = *by;
	} else if (!row->by.name || !by->name || strcmp(row->by.name, by->name) != 0) {
		row->by = (struct share){0};
	} else {
		row->by.id = row->by.id == by->id ? by->id : 0;
		row->by.percent = row->by.percent < by->percent ? row->by.percent : by->percent;
	}
}

struct row
row_of_source(const struct source *source)
{
	// The stack of {rest} is only that of one of its sources (history.h).
	return (struct row){.id = source->id, .kind = source->kind, .is_mapped = source->is_mapped,
		.frames = source->frames, .depth = source->kind == SOURCE_REST ? 0 : source->depth,
		.by = source->now.by, .is_in_before = true, .is_in_now = true};
}
