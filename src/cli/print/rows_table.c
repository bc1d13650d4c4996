// SPDX-License-Identifier: BSD-2-Clause
// The tables of `pmem report` and `pmem diff`. Both choose their rows in the same way, but fill the
// cells differently.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "symbols/symbols.h"
#include "print/disambiguate.h"
#include "print/row_text.h"
#include "print/rows_table.h"
#include "print/table.h"

enum {
	CELL = UNIT_TEXT + 1, // a value, preceded by a ~ if it is not certain
	VALUE_COLUMNS = 6,
};

// A line of the table: one row, or the sum of several rows.
struct table_row {
	struct row row;
	char *text;
	const char *change; // a word such as "grew"; "" outside of a table of differences
	enum style style;
	bool is_single;
};

struct printing {
	const struct rows_table *of;
	enum value by;
	bool no_calls; // true if blocks, allocs and frees are not known
	bool processes;
	enum value values[VALUE_COLUMNS]; // the columns; the table is sorted by the first
	bool is_sampled; // true if values of malloc's blocks are estimates, because the log is sampled
	size_t value_count;
	size_t share; // index in `values` of the value whose shares are printed
	struct table_row *rows;
	size_t count, room;
};

void
others_add(struct others *others, const struct row *row)
{
	row_add(&others->sum, row);
	others->count++;
}

char *
others_text(char *text, size_t size, const struct others *others, const char *what)
{
	snprintf(text, size, "%s source%s%s", unit_count(UNIT_ROOM, others->count),
		others->count == 1 ? "" : "s", what);
	return text;
}

static void
add_column(struct printing *printing, enum value value)
{
	if (printing->no_calls && !printing->of->differences && !value_is_bytes(value))
		return;
	for (size_t i = 0; i < printing->value_count; i++)
		if (printing->values[i] == value)
			return;
	ASSERT(printing->value_count < VALUE_COLUMNS);
	printing->values[printing->value_count++] = value;
}

// Adds the column that the table is sorted by, and then the fixed columns of this kind of table.
static void
choose_columns(struct printing *printing)
{
	add_column(printing, printing->by);
	add_column(printing, VALUE_LIVE);
	add_column(printing, VALUE_BLOCKS);
	if (!printing->of->differences)
		add_column(printing, VALUE_GROWTH);
	add_column(printing, VALUE_ALLOCS);
	if (!printing->of->differences)
		add_column(printing, VALUE_CHURN);
	// Growth may be negative, and then has no share. So in a table by growth, shares are of live
	// bytes.
	printing->share = printing->by == VALUE_GROWTH ? 1 : 0;
}

static struct text_table *
open_table(const struct printing *printing)
{
	static const char *const difference_names[] = {
		[VALUE_LIVE] = "+live", [VALUE_BLOCKS] = "+blocks", [VALUE_ALLOC] = "+alloc",
		[VALUE_ALLOCS] = "+allocs",
	};
	static const struct column moments[] = {{"", false}, {"before", false}, {"after", false}};
	struct column columns[TABLE_COLUMNS];
	size_t count = 0;
	bool differences = printing->of->differences;

	for (size_t i = 0; differences && i < 3; i++)
		columns[count++] = moments[i];
	for (size_t i = 0; i < printing->value_count; i++) {
		const char *const *names = differences ? difference_names : value_names;
		bool may_go = i > (differences ? 0 : printing->share);
		columns[count++] = (struct column){names[printing->values[i]], may_go};
		if (printing->is_sampled && printing->values[i] == VALUE_LIVE)
			columns[count++] = (struct column){"error", true};
		if (!differences && i == printing->share)
			columns[count++] = (struct column){"share", false};
	}
	if (printing->processes)
		columns[count++] = (struct column){"processes", true};
	columns[count++] = (struct column){"where", false};
	return table_open(columns, count);
}

static char *
cell_text(char text[CELL], const struct printing *printing, const struct row *row,
	enum value value)
{
	bool differences = printing->of->differences;
	bool counts_from_before = differences || value == VALUE_GROWTH || value == VALUE_CHURN;
	char *at = text;

	if ((printing->is_sampled && !row->is_mapped) || (counts_from_before && row->uncertain & 1u << value))
		*at++ = '~';
	if (differences && printing->no_calls && !value_is_bytes(value))
		return strcpy(text, "-");
	if (!differences)
		value_text(at, value, row_value(row, value));
	else if (value_is_bytes(value))
		unit_signed_bytes(at, row_difference(row, value));
	else
		unit_signed_count(at, row_difference(row, value));
	return text;
}

static void
print_row(const struct printing *printing, struct text_table *table, const struct table_row *line,
	const char *share)
{
	const struct row *row = &line->row;
	enum value by = printing->by;
	bool differences = printing->of->differences;
	char texts[VALUE_COLUMNS][CELL];
	char before[UNIT_TEXT], after[UNIT_TEXT], error[UNIT_TEXT], processes[UNIT_TEXT];
	const char *cells[TABLE_COLUMNS];
	size_t count = 0;

	if (differences) {
		cells[count++] = line->change;
		cells[count++] = value_text(before, by, (int64_t)counts_value(&row->before, by));
		cells[count++] = value_text(after, by, (int64_t)counts_value(&row->now, by));
	}
	for (size_t i = 0; i < printing->value_count; i++) {
		cells[count++] = cell_text(texts[i], printing, row, printing->values[i]);
		if (printing->is_sampled && printing->values[i] == VALUE_LIVE)
			cells[count++] = unit_bytes(error, (uint64_t)llround(row_error(row, differences)));
		if (!differences && i == printing->share)
			cells[count++] = share;
	}
	if (printing->processes)
		cells[count++] = line->is_single ? unit_count(processes, row->processes) : "";
	cells[count++] = line->text;
	table_add(table, line->style, cells);
	if (line->is_single && printing->of->stacks)
		row_text_stack(table, row);
}

static void
add_row(struct printing *printing, const struct table_row *row)
{
	printing->rows = memory_grow(printing->rows, printing->count, &printing->room,
		sizeof(*printing->rows));
	printing->rows[printing->count++] = *row;
}

static void
add_sum(struct printing *printing, const struct row *sum, const char *text, enum style style)
{
	struct table_row row = {.row = *sum, .text = memory_text(text, strlen(text)), .change = "",
		.style = style};
	row.row.kind = SOURCE_REST;
	// In a table of differences, only {rest} has a ~, and this sum has none. If the sources of this
	// sum have too much, {rest} has too little.
	if (printing->of->differences)
		row.row.uncertain = CERTAIN;
	add_row(printing, &row);
}

// Returns a word for how the value `by` has changed, such as "grew", or "" if it has not.
static const char *
change_of(const struct row *row, enum value by)
{
	int64_t difference = row_difference(row, by);

	if (difference == 0)
		return "";
	if (row->kind == SOURCE_STACK && counts_value(&row->before, by) == 0)
		return "came";
	if (row->kind == SOURCE_STACK && counts_value(&row->now, by) == 0)
		return "went";
	return difference > 0 ? "grew" : "shrank";
}

static void
add_single(struct printing *printing, const struct row *row, char *text)
{
	struct table_row line = {.row = *row, .text = text, .change = "", .is_single = true};
	int64_t difference = row_difference(row, printing->by);

	if (printing->of->differences) {
		line.change = change_of(row, printing->by);
		line.style = difference > 0 ? STYLE_RED : difference < 0 ? STYLE_GREEN : STYLE_PLAIN;
	}
	add_row(printing, &line);
}

// Takes the rows that --match and the like leave out from the profile, and sums them up.
static void
leave_out(const struct rows_table *of, struct profile *profile, struct others *unwanted)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->row_count; i++)
		if (match_row(&of->match, &profile->rows[i]))
			profile->rows[count++] = profile->rows[i];
		else
			others_add(unwanted, &profile->rows[i]);
	profile->row_count = count;
}

// How the rows are divided into those with a line and those that are summed up.
struct rows_choice
rows_choose(const struct rows_table *of, struct profile *profile, bool joins)
{
	enum value by = (enum value)of->by;
	struct rows_choice choice = {0};
	struct symbols_wanted wanted = {0};
	uint64_t most = table_most_lines(of->count, of->around);

	leave_out(of, profile, &choice.unwanted);
	if (joins)
		profile_join(profile);
	profile_sort(profile, by, of->differences);
	for (size_t i = 0; i < profile->row_count; i++) {
		struct row row = profile->rows[i];
		bool is_source = row.kind == SOURCE_STACK;
		bool is_idle = (of->differences ? row_difference(&row, by)
			: row_value(&row, by)) == 0;
		if (is_source && is_idle) {
			others_add(&choice.idle, &row);
		} else if (is_source && (choice.sources >= most
				|| row_size(&row, by, of->differences) < of->min)) {
			others_add(&choice.more, &row);
		} else {
			choice.sources += is_source;
			profile->rows[choice.shown++] = row;
			symbols_want(&wanted, row.frames, row.depth);
		}
	}
	symbols_resolve_wanted(&wanted);
	return choice;
}

// Adds a line for the sources without one: "and 12 more sources, 3 of them empty". In a table of
// differences, unchanged sources have a line of their own instead.
static void
add_others(struct printing *printing, struct rows_choice *choice)
{
	bool is_held = printing->by == VALUE_LIVE || printing->by == VALUE_BLOCKS;
	const char *nothing = is_held ? "empty" : "without any";
	uint64_t idle = choice->idle.count;
	char count[UNIT_TEXT];
	char more[UNIT_TEXT * 2];
	char behind[UNIT_TEXT * 2] = "";
	char text[UNIT_TEXT * 5];

	if (printing->of->differences && idle > 0)
		snprintf(behind, sizeof(behind), " with the same %s", value_names[printing->by]);
	if (!printing->of->differences) {
		row_add(&choice->more.sum, &choice->idle.sum);
		choice->more.count += idle;
		if (idle > 0 && idle == choice->more.count)
			snprintf(behind, sizeof(behind), ", %s", nothing);
		else if (idle > 0)
			snprintf(behind, sizeof(behind), ", %s of them %s", unit_count(count, idle), nothing);
	}
	if (choice->more.count > 0) {
		snprintf(more, sizeof(more), "and %s more", unit_count(count, choice->more.count));
		snprintf(text, sizeof(text), "%s source%s%s", more, choice->more.count == 1 ? "" : "s",
			printing->of->differences ? "" : behind);
		add_sum(printing, &choice->more.sum, text, STYLE_DIM);
	}
	if (printing->of->differences && idle > 0)
		add_sum(printing, &choice->idle.sum,
			others_text(text, sizeof(text), &choice->idle, behind), STYLE_DIM);
}

// Splits 100.0% among all lines, by their values. A line with a negative value gets 0.
static unsigned *
split_shares(const struct printing *printing)
{
	unsigned *tenths = memory_get(printing->count, sizeof(*tenths));
	uint64_t *parts = memory_get(printing->count, sizeof(*parts));

	for (size_t i = 0; i < printing->count; i++) {
		int64_t value = row_value(&printing->rows[i].row, printing->values[printing->share]);
		parts[i] = value > 0 ? (uint64_t)value : 0;
	}
	share_split(tenths, SHARE_WHOLE, parts, printing->count);
	free(parts);
	return tenths;
}

// Returns true if the rows of the lines add up to the total, now and before.
static bool
adds_up(const struct printing *printing, const struct row *total)
{
	struct row sum = {0};

	for (size_t i = 0; i < printing->count; i++)
		row_add(&sum, &printing->rows[i].row);
	return memcmp(&sum.now, &total->now, sizeof(sum.now)) == 0
		&& memcmp(&sum.before, &total->before, sizeof(sum.before)) == 0;
}

static void
print_rows(FILE *to, struct printing *printing, const struct row *total, bool has_mapped)
{
	struct text_table *table = open_table(printing);
	unsigned *tenths = split_shares(printing);
	bool has_shares = row_value(total, printing->values[printing->share]) > 0;
	bool has_guesses = false;
	char share[UNIT_TEXT] = "-";

	ASSERT(adds_up(printing, total));
	for (size_t i = 0; i < printing->count; i++) {
		struct table_row *row = &printing->rows[i];
		if (has_shares)
			unit_tenths(share, tenths[i]);
		print_row(printing, table, row, share);
		has_guesses |= row->row.uncertain != CERTAIN;
		free(row->text);
	}
	if (has_shares)
		unit_tenths(share, SHARE_WHOLE);
	struct table_row sum = {.row = *total, .text = has_mapped ? "total, live and mapped" : "total",
		.change = "", .style = STYLE_BOLD};
	print_row(printing, table, &sum, share);
	if (printing->is_sampled)
		table_add_text(table, "~: estimated by sampling; error: live's standard error");
	if (has_guesses && !printing->of->differences)
		table_add_text(table, "~: what it had by then is not certain");
	table_print(to, table);
	free(tenths);
	free(printing->rows);
}

void
rows_table_print(FILE *to, const struct rows_table *of, struct profile *profile)
{
	struct printing printing = {.of = of, .by = (enum value)of->by,
		.no_calls = profile->is_seeds,
		.is_sampled = profile->is_sampled,
		.processes = !of->differences && profile->run_count > 1};
	char text[128];

	struct rows_choice choice = rows_choose(of, profile, !of->stacks && !of->by_name);
	choose_columns(&printing);
	char **texts = disambiguate(profile->rows, sizeof(struct row), choice.shown);
	for (size_t i = 0; i < choice.shown; i++)
		ASSERT((profile->rows[i].kind == SOURCE_STACK) == (i < choice.sources));
	for (size_t i = 0; i < choice.sources; i++)
		add_single(&printing, &profile->rows[i], texts[i]);
	add_others(&printing, &choice);
	for (size_t i = choice.sources; i < choice.shown; i++)
		add_single(&printing, &profile->rows[i], texts[i]);
	free(texts);
	if (choice.unwanted.count > 0)
		add_sum(&printing, &choice.unwanted.sum,
			others_text(text, sizeof(text), &choice.unwanted, " not asked for"), STYLE_DIM);
	print_rows(to, &printing, &profile->total, profile->mapped.now.allocs > 0);
	if (choice.unwanted.count > 0 && choice.shown + choice.more.count + choice.idle.count == 0)
		fputs("nothing is of what was asked for (--match, --not, --thread)\n", to);
}
