#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "top/standings.h"

static void
set_values(int64_t values[MEASURES], const struct counts *now, const struct counts *more)
{
	values[MEASURE_LIVE] = (int64_t)now->live;
	values[MEASURE_BLOCKS] = (int64_t)now->blocks;
	values[MEASURE_GROWTH] = (int64_t)(more->alloc - more->free);
	values[MEASURE_ALLOC] = (int64_t)more->alloc;
	values[MEASURE_CHURN] = (int64_t)(more->alloc + more->free);
	values[MEASURE_ALLOCS] = (int64_t)more->allocs;
}

static bool
is_idle(const int64_t values[MEASURES])
{
	for (int i = 0; i < MEASURES; i++)
		if (values[i] != 0)
			return false;
	return true;
}

static void
add(struct standings *standings, enum source_kind kind, const struct source *source,
	const struct counts *now, const struct counts *more)
{
	struct ranked ranked = {.row = {.kind = kind, .now = *now, .processes = 1}};

	set_values(ranked.values, now, more);
	if (is_idle(ranked.values))
		return;
	if (source) {
		ranked.row.id = source->id;
		ranked.row.frames = source->frames;
		ranked.row.depth = source->depth;
	}
	standings->rows = memory_grow(standings->rows, standings->count, &standings->room,
		sizeof(*standings->rows));
	standings->rows[standings->count++] = ranked;
}

static bool
is_known(const struct run *run, const struct source *source)
{
	return run->is_seeds || source_is_exact(run, &source->now, run->snapshots);
}

// What the sources that the snapshot does not show have done since the one before: nothing,
// where what is known of them is certain.
static void
add_others(struct standings *standings, const struct followed *last, struct counts *rest)
{
	const struct run *run = last->run;
	static const struct counts nothing;

	for (size_t i = 0; i < run->source_count; i++) {
		const struct source *source = run->sources[i];
		bool is_shown = source->now.shown_in + 1 == run->snapshots;
		if (is_shown || source->now.shown_in == NEVER_SHOWN || !is_known(run, source))
			continue;
		add(standings, SOURCE_STACK, source, &source->now.counts, &nothing);
		counts_subtract(rest, &source->now.counts);
	}
}

void
standings_make(struct standings *standings, const struct followed *last)
{
	struct counts rest = last->total;
	struct counts rest_more = last->more;

	standings->count = 0;
	if (!last->run)
		return;
	set_values(standings->total, &last->total, &last->more);
	for (size_t i = 0; i < last->entry_count; i++) {
		const struct entry *entry = &last->entries[i];
		if (entry->source->kind == SOURCE_REST)
			continue;
		add(standings, entry->source->kind, entry->source, &entry->counts, &entry->more);
		counts_subtract(&rest, &entry->counts);
		counts_subtract(&rest_more, &entry->more);
	}
	add_others(standings, last, &rest);
	add(standings, SOURCE_REST, NULL, &rest, &rest_more);
}

// For qsort().
static enum measure sort_by;
static bool sort_reverse;

static int
by_column(const void *left, const void *right)
{
	const struct ranked *a = left;
	const struct ranked *b = right;
	int64_t value_a = a->values[sort_by];
	int64_t value_b = b->values[sort_by];

	if (a->row.kind != b->row.kind)
		return (int)a->row.kind - (int)b->row.kind;
	if (value_a != value_b)
		return (value_a > value_b) == sort_reverse ? 1 : -1;
	if (a->values[MEASURE_LIVE] != b->values[MEASURE_LIVE])
		return a->values[MEASURE_LIVE] > b->values[MEASURE_LIVE] ? -1 : 1;
	return (a->row.id > b->row.id) - (a->row.id < b->row.id);
}

void
standings_sort(struct standings *standings, enum measure by, bool reverse)
{
	sort_by = by;
	sort_reverse = reverse;
	if (standings->count > 1)
		qsort(standings->rows, standings->count, sizeof(*standings->rows), by_column);
}
