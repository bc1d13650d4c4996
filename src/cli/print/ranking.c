#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "print/share.h"
#include "print/table.h"
#include "print/row_text.h"
#include "print/ranking.h"

struct ranking_line {
	struct row row;
	char *text;
	const struct row *source; // NULL: several
	enum style style;
};

static void
add_line(struct ranking *ranking, const struct ranking_line *line)
{
	ranking->lines = memory_grow(ranking->lines, ranking->count, &ranking->room,
		sizeof(*ranking->lines));
	ranking->lines[ranking->count++] = *line;
}

struct columns {
	enum value values[VALUES];
	size_t count;
	size_t share; // after which of them it comes
};

static void
add_column(struct columns *columns, const struct ranking *ranking, enum value value)
{
	if (ranking->no_calls && !value_is_bytes(value))
		return;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->values[i] == value)
			return;
	columns->values[columns->count++] = value;
}

// What comes first, then what is always there.
static struct columns
choose_columns(const struct ranking *ranking)
{
	struct columns columns = {.share = ranking->by == VALUE_GROWTH ? 1 : 0};

	add_column(&columns, ranking, ranking->by);
	add_column(&columns, ranking, VALUE_LIVE);
	add_column(&columns, ranking, VALUE_BLOCKS);
	add_column(&columns, ranking, VALUE_GROWTH);
	add_column(&columns, ranking, VALUE_ALLOCS);
	add_column(&columns, ranking, VALUE_CHURN);
	return columns;
}

static struct table *
open_table(const struct ranking *ranking, const struct columns *columns)
{
	struct column titles[TABLE_COLUMNS];
	size_t count = 0;

	for (size_t i = 0; i < columns->count; i++) {
		titles[count++] = (struct column){value_names[columns->values[i]], i > columns->share};
		if (i == columns->share)
			titles[count++] = (struct column){"share", false};
	}
	if (ranking->processes)
		titles[count++] = (struct column){"processes", true};
	titles[count++] = (struct column){"where", false};
	return table_open(titles, count);
}

static void
add_value(char text[UNIT_TEXT + 1], const struct row *row, enum value value)
{
	// What counts from the base is as certain as that.
	if ((value == VALUE_GROWTH || value == VALUE_CHURN) && !row->base_is_exact)
		*text++ = '~';
	value_text(text, value, row_value(row, value));
}

static void
print_line(const struct ranking *ranking, const struct columns *columns, struct table *table,
	const struct ranking_line *line, const char *share)
{
	char texts[VALUES][UNIT_TEXT + 1];
	char processes[UNIT_TEXT] = "";
	const char *cells[TABLE_COLUMNS];
	size_t count = 0;

	for (size_t i = 0; i < columns->count; i++) {
		add_value(texts[i], &line->row, columns->values[i]);
		cells[count++] = texts[i];
		if (i == columns->share)
			cells[count++] = share;
	}
	if (line->source)
		unit_count(processes, line->row.processes);
	if (ranking->processes)
		cells[count++] = processes;
	cells[count++] = line->text;
	table_add(table, line->style, cells);
}

void
ranking_add(struct ranking *ranking, const struct row *row)
{
	add_line(ranking, &(struct ranking_line){*row, row_text(row), row, STYLE_PLAIN});
}

void
ranking_add_sum(struct ranking *ranking, const struct row *sum, const char *text)
{
	char *copy = memory_text(text, strlen(text));
	add_line(ranking, &(struct ranking_line){*sum, copy, NULL, STYLE_DIM});
}

// Of all lines together 100.0%.
static unsigned *
split_shares(const struct ranking *ranking, enum value of)
{
	unsigned *tenths = memory_get(ranking->count, sizeof(*tenths));
	uint64_t *parts = memory_get(ranking->count, sizeof(*parts));

	for (size_t i = 0; i < ranking->count; i++) {
		int64_t value = row_value(&ranking->lines[i].row, of);
		parts[i] = value > 0 ? (uint64_t)value : 0;
	}
	share_split(tenths, SHARE_WHOLE, parts, ranking->count);
	free(parts);
	return tenths;
}

void
ranking_print(struct ranking *ranking, const struct row *total)
{
	struct columns columns = choose_columns(ranking);
	struct table *table = open_table(ranking, &columns);
	enum value of = columns.values[columns.share];
	unsigned *tenths = split_shares(ranking, of);
	bool has_shares = row_value(total, of) > 0;
	bool has_guesses = false;
	char share[UNIT_TEXT] = "-";

	for (size_t i = 0; i < ranking->count; i++) {
		const struct ranking_line *line = &ranking->lines[i];
		if (has_shares)
			unit_tenths(share, tenths[i]);
		print_line(ranking, &columns, table, line, share);
		if (ranking->stacks && line->source)
			row_text_stack(table, line->source);
		has_guesses |= !line->row.base_is_exact;
		free(line->text);
	}
	if (has_shares)
		unit_tenths(share, SHARE_WHOLE);
	struct ranking_line sum = {*total, "total", NULL, STYLE_BOLD};
	print_line(ranking, &columns, table, &sum, share);
	if (has_guesses)
		table_add_text(table, "~: what it had by then is not certain");
	table_print(table);
	free(tenths);
	free(ranking->lines);
	ranking->lines = NULL;
	ranking->count = ranking->room = 0;
}
