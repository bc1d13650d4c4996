// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "log/certainty.h"
#include "rows/resolved_frame.h"
#include "rows/script_line.h"
#include "rows/wrapper.h"
#include "symbols/symbols.h"
#include "top/rows.h"
#include "top/search.h"

const char *const measure_names[] = {
	[MEASURE_LIVE] = "live",
	[MEASURE_BLOCKS] = "blocks",
	[MEASURE_GROWTH] = "growth",
	[MEASURE_ALLOC] = "alloc",
	[MEASURE_CHURN] = "churn",
	[MEASURE_ALLOCS] = "allocs",
	[MEASURES] = NULL,
};

static const enum value values[MEASURES] = {
	[MEASURE_LIVE] = VALUE_LIVE,
	[MEASURE_BLOCKS] = VALUE_BLOCKS,
	[MEASURE_GROWTH] = VALUE_GROWTH,
	[MEASURE_ALLOC] = VALUE_ALLOC,
	[MEASURE_CHURN] = VALUE_CHURN,
	[MEASURE_ALLOCS] = VALUE_ALLOCS,
};

bool
measure_is_bytes(enum measure measure)
{
	return value_is_bytes(values[measure]);
}

bool
measure_is_rate(enum measure measure)
{
	return measure != MEASURE_LIVE && measure != MEASURE_BLOCKS;
}

int64_t
measure_value(const struct row *row, enum measure measure)
{
	return measure == MEASURE_ALLOC || measure == MEASURE_ALLOCS
		? row_difference(row, values[measure]) : row_value(row, values[measure]);
}

// Writes a number of bytes or calls per second. A number below 10 has a decimal. So a small number
// is not shown as 0.
static char *
rate_text(char text[MEASURE_TEXT], enum measure measure, double rate)
{
	bool is_bytes = measure_is_bytes(measure);
	const char *sign = rate < 0 ? "-" : rate > 0 && measure == MEASURE_GROWTH ? "+" : "";
	const char *unit = is_bytes && !unit_exact ? " B" : "";
	double size = fabs(rate);

	if (size > 0 && size < 0.05)
		snprintf(text, MEASURE_TEXT, "%s%s0.1%s", rate < 0 ? ">" : "<", sign, unit);
	else if (size > 0 && size < 9.95 && size != floor(size))
		snprintf(text, MEASURE_TEXT, "%s%.1f%s", sign, size, unit);
	else if (is_bytes)
		snprintf(text, MEASURE_TEXT, "%s%s", sign, unit_bytes(UNIT_ROOM, (uint64_t)(size + 0.5)));
	else
		snprintf(text, MEASURE_TEXT, "%s%s", sign, unit_count(UNIT_ROOM, (uint64_t)(size + 0.5)));
	return text;
}

char *
measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value, int64_t interval_ms)
{
	double seconds = interval_ms ? (double)interval_ms / 1000 : 1;
	if (measure_is_rate(measure) && interval_ms == INTERVAL_STILL)
		value = 0;
	if (measure_is_rate(measure))
		return rate_text(text, measure, (double)value / seconds);
	if (measure_is_bytes(measure))
		return unit_bytes(text, (uint64_t)value);
	return unit_count(text, (uint64_t)value);
}

const char *
measure_per(int64_t interval_ms)
{
	return interval_ms ? "/s" : "/snapshot";
}

static void
add(struct top_rows *rows, const struct row *row)
{
	bool is_idle = true;
	for (int i = 0; i < MEASURES; i++)
		is_idle = is_idle && measure_value(row, (enum measure)i) == 0;
	if (is_idle)
		return;
	rows->stacks = memory_grow(rows->stacks, rows->stack_count, &rows->stack_room,
		sizeof(*rows->stacks));
	rows->stacks[rows->stack_count++] = *row;
}

static void
add_source(struct top_rows *rows, const struct source *source, const struct counts *now,
	const struct counts *before, struct row *rest)
{
	struct row row = row_of_source(source);

	row.now = *now;
	row.before = *before;
	row.processes = 1;
	add(rows, &row);
	counts_subtract(&rest->now, now);
	counts_subtract(&rest->before, before);
}

static uint64_t
live_of(const struct top_rows *rows)
{
	uint64_t live = 0;

	for (size_t i = 0; i < rows->stack_count; i++)
		live += rows->stacks[i].now.live;
	return live;
}

// Adds the stacks of one snapshot, which has either malloc's blocks or mapped memory.
static void
add_sources(struct top_rows *rows, const struct snapshot *last)
{
	const struct run *run = last->run;
	struct row rest = {.kind = SOURCE_REST, .is_mapped = !run->mapped, .now = last->summary.total,
		.before = last->summary.before, .processes = 1};

	row_add(&rows->total, &rest);
	for (size_t i = 0; i < last->entry_count; i++) {
		const struct entry *entry = &last->entries[i];
		if (!source_kind_is_sum(entry->source->kind))
			add_source(rows, entry->source, &entry->now, &entry->before, &rest);
	}
	// The last snapshot does not show some sources, but the log proves that they have not changed
	// since the snapshot before. In their rows, `now` and `before` are equal.
	for (size_t i = 0; i < run->source_count; i++) {
		const struct source *source = run->sources[i];
		const struct state *now = &source->now;
		if (now->shown_in + 1 != run->snapshots && source_is_told(run, source))
			add_source(rows, source, &now->counts, &now->counts, &rest);
	}
	add(rows, &rest);
}

// The column and the order of by_column(): qsort() passes no arguments on.
static enum measure sort_by;
static bool sort_reverse;

static int
by_column(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int64_t value_a = measure_value(a, sort_by);
	int64_t value_b = measure_value(b, sort_by);

	if (a->kind != b->kind)
		return (int)a->kind - (int)b->kind;
	if (value_a != value_b)
		return (value_a > value_b) == sort_reverse ? 1 : -1;
	if (a->now.live != b->now.live)
		return (int64_t)a->now.live > (int64_t)b->now.live ? -1 : 1;
	if (a->id != b->id)
		return a->id > b->id ? 1 : -1;
	return (int)a->is_mapped - (int)b->is_mapped;
}

void
top_rows_sort(struct top_rows *rows, enum measure by, bool reverse)
{
	sort_by = by;
	sort_reverse = reverse;
	memory_sort(rows->rows, rows->count, sizeof(*rows->rows), by_column);
}

static bool
is_in_frame(const struct resolved_frame *resolved, const char *search)
{
	if (!resolved_is_line(resolved))
		return search_is_in(resolved->name, search) || search_is_in(resolved_module(resolved), search);
	char *text = script_line_text(resolved->frame);
	bool found = search_is_in(text, search);
	free(text);
	return found;
}

static bool
is_meant(const char *search, const struct row *row)
{
	static struct resolved_stack stack;
	char id[24];

	snprintf(id, sizeof(id), "%016" PRIx64, row->id);
	if (search_is_in(id, search) || (row->by.name && search_is_in(row->by.name, search)))
		return true;
	resolved_stack_take(&stack, row);
	for (size_t i = 0; i < stack.count; i++)
		if (is_in_frame(&stack.frames[i], search))
			return true;
	return false;
}

// Keeps only the stacks in which the text is found.
static void
search_stacks(struct top_rows *rows, const char *search)
{
	size_t count = 0;

	rows->all = rows->stack_count;
	for (size_t i = 0; i < rows->stack_count; i++)
		if (is_meant(search, &rows->stacks[i]))
			rows->stacks[count++] = rows->stacks[i];
	rows->stack_count = count;
}

static int
by_place(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->place != b->place)
		return a->place > b->place ? 1 : -1;
	if (a->now.live != b->now.live)
		return a->now.live > b->now.live ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

// Adds up the stacks of each place.
static void
add_up(struct top_rows *rows)
{
	for (size_t i = 0; i < rows->stack_count; i++) {
		const struct row *stack = &rows->stacks[i];
		bool is_first = i == 0 || stack->place != stack[-1].place;
		if (is_first) {
			rows->rows = memory_grow(rows->rows, rows->count, &rows->room, sizeof(*rows->rows));
			rows->rows[rows->count++] = *stack;
		} else {
			row_add(&rows->rows[rows->count - 1], stack);
		}
		row_share(&rows->rows[rows->count - 1], &stack->by, is_first);
		row_add(&rows->found, stack);
	}
	for (size_t i = 0; i < rows->count; i++)
		rows->has_threads |= rows->rows[i].by.name != NULL;
}

void
top_rows_make(struct top_rows *rows, const struct snapshot *last, const char *search)
{
	rows->count = rows->stack_count = 0;
	rows->has_threads = false;
	rows->places.by = GROUPING_BY_PLACE;
	rows->total = rows->found = (struct row){.kind = SOURCE_REST, .processes = 1};
	if (!last->run)
		return;
	wrapper_learn(last->run);
	symbols_resolve(last->run->frames, last->run->frame_count);
	for (; last; last = last->mapped)
		add_sources(rows, last);
	ASSERT(live_of(rows) == rows->total.now.live);
	if (search[0])
		search_stacks(rows, search);
	for (size_t i = 0; i < rows->stack_count; i++)
		rows->stacks[i].place = grouping_number(&rows->places, &rows->stacks[i], NULL);
	memory_sort(rows->stacks, rows->stack_count, sizeof(*rows->stacks), by_place);
	add_up(rows);
	rows->depths = memory_room(rows->depths, rows->places.keys.count, &rows->depth_room,
		sizeof(*rows->depths));
	memset(rows->depths, 0, rows->depth_room * sizeof(*rows->depths));
}

struct row
top_rows_cut(const struct top_rows *rows, const struct row *row)
{
	unsigned *depth = &rows->depths[row->place];
	struct row cut = *row;
	bool has_more = *depth == 0;

	for (size_t i = 0; has_more && i < rows->stack_count; i++)
		if (rows->stacks[i].place == row->place)
			has_more = grouping_cut(&cut, &rows->stacks[i]);
	cut.depth = *depth > 0 && *depth < cut.depth ? *depth : cut.depth;
	*depth = cut.depth;
	return cut;
}
