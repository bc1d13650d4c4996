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
	[VALUES] = NULL,
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
	const struct counts *base = &row->base;

	if (value == VALUE_CHURN)
		return (int64_t)(now->alloc + now->free - base->alloc - base->free);
	if (value == VALUE_GROWTH)
		return (int64_t)(now->live - base->live);
	return (int64_t)counts_value(now, value);
}

struct row
row_of_source(const struct source *source)
{
	return (struct row){.id = source->id, .kind = source->kind, .frames = source->frames,
		.depth = source->depth};
}
