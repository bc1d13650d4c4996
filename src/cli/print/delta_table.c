#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/term.h"
#include "symbols/symbols.h"
#include "print/table.h"
#include "print/row_text.h"
#include "print/delta_table.h"

enum {
	LINES_AROUND = 9, // the two moments, titles, sums, and the shell's next prompt
	CELL = UNIT_TEXT + 1,
};

// The values that the table has, the one it is sorted by first.
struct columns {
	enum value values[DELTA_VALUES];
	size_t count;
};

static struct columns
choose_columns(const struct delta_table *of)
{
	static const enum value always[] = {VALUE_LIVE, VALUE_BLOCKS, VALUE_ALLOCS};
	struct columns columns = {.values = {(enum value)of->by}, .count = 1};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (always[i] != (enum value)of->by)
			columns.values[columns.count++] = always[i];
	return columns;
}

static struct table *
open_table(const struct columns *columns)
{
	static const char *const titles[] = {
		[VALUE_LIVE] = "+live", [VALUE_BLOCKS] = "+blocks", [VALUE_ALLOC] = "+alloc",
		[VALUE_ALLOCS] = "+allocs",
	};
	struct column list[TABLE_COLUMNS] = {{"", false}, {"before", false}, {"after", false}};
	size_t count = 3;

	for (size_t i = 0; i < columns->count; i++)
		list[count++] = (struct column){titles[columns->values[i]], i > 0};
	list[count++] = (struct column){"where", false};
	return table_open(list, count);
}

// What has happened to the value that the table is sorted by.
static const char *
change_of(const struct delta *delta, enum value by)
{
	uint64_t before = counts_value(&delta->before, by);
	uint64_t after = counts_value(&delta->after, by);

	if (before == after)
		return "";
	if (delta->kind != SOURCE_STACK)
		return after > before ? "grew" : "shrank";
	if (before == 0)
		return "came";
	if (after == 0)
		return "went";
	return after > before ? "grew" : "shrank";
}

// Where lines go, and what of the deltas they show.
struct making {
	const struct delta_table *of;
	const struct deltas *deltas;
	struct columns columns;
	struct table *table;
};

static void
add_line(const struct making *making, const struct delta *delta, const char *change,
	const char *where, enum style style)
{
	const struct columns *columns = &making->columns;
	enum value by = (enum value)making->of->by;
	char before[UNIT_TEXT];
	char after[UNIT_TEXT];
	char differences[DELTA_VALUES][CELL];
	const char *cells[TABLE_COLUMNS] = {
		change,
		value_text(before, by, (int64_t)counts_value(&delta->before, by)),
		value_text(after, by, (int64_t)counts_value(&delta->after, by)),
	};
	size_t count = 3;

	for (size_t i = 0; i < columns->count; i++) {
		enum value value = columns->values[i];
		char *text = differences[i];
		if (!delta_is_exact(making->deltas, delta, value))
			*text++ = '~';
		if (making->deltas->is_seeds && !value_is_bytes(value))
			strcpy(differences[i], "-");
		else if (value_is_bytes(value))
			unit_signed_bytes(text, delta_value(delta, value));
		else
			unit_signed_count(text, delta_value(delta, value));
		cells[count++] = differences[i];
	}
	cells[count++] = where;
	table_add(making->table, style, cells);
}

static void
add_source(const struct making *making, const struct delta *delta)
{
	int64_t difference = delta_value(delta, (enum value)making->of->by);
	char *where = row_text(delta->row);

	add_line(making, delta, change_of(delta, (enum value)making->of->by), where,
		difference > 0 ? STYLE_RED : difference < 0 ? STYLE_GREEN : STYLE_PLAIN);
	free(where);
	if (making->of->stacks)
		row_text_stack(making->table, delta->row);
}

// Sources that have no line of their own.
struct others {
	struct delta sum;
	uint64_t count;
};

static void
add_other(struct others *others, const struct delta *delta)
{
	counts_add(&others->sum.before, &delta->before);
	counts_add(&others->sum.after, &delta->after);
	others->count++;
}

static void
add_others(const struct making *making, struct others *others, const char *before,
	const char *behind)
{
	char text[128];

	if (others->count == 0)
		return;
	others->sum.kind = SOURCE_REST;
	snprintf(text, sizeof(text), "%s%" PRIu64 "%s source%s%s", before, others->count,
		*before ? " more" : "", others->count == 1 ? "" : "s", behind);
	add_line(making, &others->sum, "", text, STYLE_DIM);
}

// What --min is compared with.
static uint64_t
size_of(const struct delta *delta, enum value by)
{
	return (uint64_t)llabs(delta_value(delta, value_is_bytes(by) ? by : VALUE_LIVE));
}

// Puts those that get a line first, sums up the others, and looks up names.
static size_t
choose_rows(const struct delta_table *of, struct deltas *deltas, struct others *more,
	struct others *same, struct others *unwanted)
{
	struct symbols_wanted wanted = {0};
	size_t shown = 0;
	uint64_t sources = 0;
	uint64_t most = table_most_lines(of->count, LINES_AROUND);

	for (size_t i = 0; i < deltas->count; i++) {
		struct delta delta = deltas->deltas[i];
		int64_t difference = delta_value(&delta, of->by);
		bool is_source = delta.kind == SOURCE_STACK;
		if (!match_row(of->match, delta.row)) {
			add_other(unwanted, &delta);
		} else if (is_source && difference == 0) {
			add_other(same, &delta);
		} else if (is_source
			&& (sources >= most || size_of(&delta, (enum value)of->by) < of->min)) {
			add_other(more, &delta);
		} else {
			sources += is_source;
			deltas->deltas[shown++] = delta;
			symbols_want(&wanted, delta.row->frames, delta.row->depth);
		}
	}
	symbols_resolve_wanted(&wanted);
	return shown;
}

void
delta_table_print(const struct delta_table *of, struct deltas *deltas)
{
	struct making making = {.of = of, .deltas = deltas, .columns = choose_columns(of)};
	struct others more = {0};
	struct others same = {0};
	struct others unwanted = {0};
	struct delta total = {.kind = SOURCE_REST, .before = deltas->before, .after = deltas->after};
	char behind[64];
	size_t i = 0;

	deltas_sort(deltas, of->by);
	size_t shown = choose_rows(of, deltas, &more, &same, &unwanted);
	making.table = open_table(&making.columns);
	for (; i < shown && deltas->deltas[i].kind == SOURCE_STACK; i++)
		add_source(&making, &deltas->deltas[i]);
	add_others(&making, &more, "and ", "");
	snprintf(behind, sizeof(behind), " with the same %s", delta_value_names[of->by]);
	add_others(&making, &same, "", behind);
	for (; i < shown; i++)
		add_source(&making, &deltas->deltas[i]);
	add_others(&making, &unwanted, "", " not asked for");
	add_line(&making, &total, "", "total", STYLE_BOLD);
	table_print(making.table);
}
