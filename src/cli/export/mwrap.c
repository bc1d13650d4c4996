// mwrap's three columns: bytes, calls, and the place that asked for them, largest first. What
// it says of a place is all that was ever allocated there, so that is what is written unless
// --value asks for something else. Sources of one place are one line.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "base/memory.h"
#include "export/text.h"
#include "export/export.h"

struct place {
	const char *name;
	int64_t bytes, calls;
};

static int
by_bytes(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void
add(struct place *place, const struct row *row, enum value value)
{
	const struct counts *now = &row->now, *base = &row->before;

	switch (value) {
	case VALUE_LIVE:
	case VALUE_BLOCKS:
		place->bytes += now->live;
		place->calls += now->blocks;
		return;
	case VALUE_FREE:
	case VALUE_FREES:
		place->bytes += now->free;
		place->calls += now->frees;
		return;
	case VALUE_CHURN:
		place->bytes += row_value(row, VALUE_CHURN);
		place->calls += now->allocs - base->allocs + now->frees - base->frees;
		return;
	case VALUE_GROWTH:
		place->bytes += row_value(row, VALUE_GROWTH);
		place->calls += now->blocks - base->blocks;
		return;
	default:
		place->bytes += now->alloc;
		place->calls += now->allocs;
	}
}

void
export_mwrap(FILE *to, const struct export *what)
{
	const struct profile *profile = what->profile;
	struct place *places = memory_get(profile->row_count, sizeof(*places));
	struct intern names = {0};

	for (size_t i = 0; i < profile->row_count; i++) {
		size_t count;
		const struct step *steps = export_steps(&profile->rows[i], &count);
		size_t number = intern_text(&names, utf8_plain(export_where(steps, count)));
		places[number].name = names.keys[number].bytes;
		add(&places[number], &profile->rows[i], what->has_value ? what->value : VALUE_ALLOC);
	}
	qsort(places, names.count, sizeof(*places), by_bytes);
	for (size_t i = 0; i < names.count; i++)
		fprintf(to, "%16" PRId64 " %12" PRId64 " %s\n", places[i].bytes, places[i].calls,
			places[i].name);
	free(places);
	intern_free(&names);
}
