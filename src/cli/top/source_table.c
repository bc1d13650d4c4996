// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "print/disambiguate.h"
#include "print/ellipsis.h"
#include "print/row_text.h"
#include "top/rows.h"
#include "top/source_table.h"

enum {
	WIDTH_TEXT = 9,   // columns for a number like "1,023 KiB"
	WIDTH_EXACT = 15, // columns for a number of bytes up to a hundred TB, written in full
	WIDTH_THREAD = 22, // columns for a thread's name of 15 characters, " 100%", and two blanks
	// if the last column would have fewer columns than this, other columns are left out
	WHERE_LEAST = 30,
	INDENT = 6,
};

// The columns of numbers. The most important column comes first. If the terminal is too narrow,
// columns are left out from the end of this list. The column by which rows are sorted is never left
// out.
static const enum measure order[MEASURES] = {
	MEASURE_LIVE, MEASURE_GROWTH, MEASURE_BLOCKS, MEASURE_ALLOC, MEASURE_CHURN, MEASURE_ALLOCS,
};

// What is shown of a row, before its text.
struct layout {
	bool shown[MEASURES];
	bool has_threads; // some thread is known, and the terminal is wide enough
	unsigned before;  // columns before the text
};

static unsigned
column_width(void)
{
	return unit_exact ? WIDTH_EXACT : WIDTH_TEXT + 1;
}

static struct layout
layout_of(const struct source_table *table)
{
	unsigned width = table->clip->width, column = 1 + column_width(), least = column + WHERE_LEAST;
	struct layout layout = {.before = 1};

	layout.shown[table->by] = true;
	for (int i = 0; i < MEASURES; i++) {
		if (layout.shown[order[i]])
			continue;
		least += column;
		layout.shown[order[i]] = width == 0 || least <= width;
	}
	for (int i = 0; i < MEASURES; i++)
		layout.before += layout.shown[i] ? column : 0;
	layout.has_threads = table->rows.has_threads
		&& (width == 0 || layout.before + WIDTH_THREAD + WHERE_LEAST <= width);
	layout.before += layout.has_threads ? WIDTH_THREAD : 0;
	return layout;
}

void
source_table_make(struct source_table *table)
{
	top_rows_make(&table->rows, follow_last(table->log->follow), table->search.text);
	top_rows_sort(&table->rows, table->by, table->reverse);
}

// If keys can be typed, adds a first column with a mark for the chosen row. Returns how many
// columns of the terminal the mark took.
static unsigned
add_mark(const struct source_table *table, bool is_chosen)
{
	if (!table->has_keys)
		return 0;
	clip_text(table->clip, is_chosen ? ">" : " ");
	return 1;
}

static void
add_headings(const struct source_table *table)
{
	struct layout layout = layout_of(table);
	struct clip *clip = table->clip;
	unsigned mark = add_mark(table, false);
	char text[MEASURE_TEXT];

	for (int i = 0; i < MEASURES; i++) {
		bool is_sorted = i == (int)table->by;
		if (!layout.shown[i])
			continue;
		snprintf(text, sizeof(text), "%s%s%s", is_sorted ? table->reverse ? "^" : "*" : "",
			measure_names[i], measure_is_rate((enum measure)i)
			? measure_per(source_table_interval(table)) : "");
		clip_style(clip, is_sorted ? STYLE_BOLD : STYLE_DIM);
		clip_right(clip, text, column_width() - mark);
		mark = 0;
		clip_style(clip, STYLE_PLAIN);
		clip_text(clip, " ");
	}
	clip_style(clip, STYLE_DIM);
	clip_text(clip, " ");
	if (layout.has_threads) {
		clip_text(clip, "thread");
		clip_pad(clip, clip->column + WIDTH_THREAD - (unsigned)strlen("thread"));
	}
	clip_line(clip, "where");
}

// Adds the row's numbers, and the name of the thread that allocated most of it with its percentage.
static void
add_values(const struct source_table *table, const struct row *row)
{
	const struct run *run = follow_last(table->log->follow)->run;
	struct layout layout = layout_of(table);
	struct clip *clip = table->clip;
	char text[MEASURE_TEXT + 1] = "~";
	unsigned mark = add_mark(table,
		table->has_keys && row == &table->rows.rows[table->cursor_row]);

	for (int i = 0; i < MEASURES; i++) {
		enum measure measure = (enum measure)i;
		if (!layout.shown[i])
			continue;
		measure_text(text + (run->sampled > 0), measure, measure_value(row, measure),
			source_table_interval(table));
		// Logs of pmem's first version do not count blocks and calls.
		bool is_known = measure_is_bytes(measure) || !run->is_seeds;
		clip_right(clip, is_known ? text : "-", column_width() - mark);
		mark = 0;
		clip_text(clip, " ");
	}
	clip_text(clip, " ");
	unsigned end = clip->column + WIDTH_THREAD;
	if (layout.has_threads && row->by.name)
		clip_format(clip, "%s %u%%", row->by.name, row->by.percent);
	if (layout.has_threads)
		clip_pad(clip, end);
}

void
source_table_text(struct source_table *table, const char *text)
{
	struct clip *clip = table->clip;
	size_t columns = glyph_columns(text);

	if (columns > table->longest)
		table->longest = columns;
	table->room = clip->width > clip->column ? clip->width - clip->column : 0;
	clip_text(clip, text + glyph_cut(text, table->shift));
}

// Returns the texts of the last column for these rows. The texts are cut to the columns that are left,
// unless the user has shifted them. The caller frees each text and the array.
static char **
wheres_of(struct source_table *table, const struct row *rows, size_t count)
{
	unsigned before = layout_of(table).before, width = table->clip->width;
	struct row *cut = memory_get(count, sizeof(*cut));

	for (size_t i = 0; i < count; i++)
		cut[i] = top_rows_cut(&table->rows, &rows[i]);
	char **texts = disambiguate(cut, sizeof(*cut), count);
	free(cut);
	if (table->shift > 0 || width <= before)
		return texts;
	char **wheres = ellipsis_fit(texts, count, width - before);
	for (size_t i = 0; i < count; i++) {
		size_t columns = glyph_columns(texts[i]);
		table->longest = columns > table->longest ? columns : table->longest;
		free(texts[i]);
	}
	free(texts);
	return wheres;
}

// Adds the lines of one row from number `first` up to `end`, without `end`. Line 0 has the row's
// numbers and `where`. The further lines are its stack, innermost first. Frees `where`. Returns how
// many lines the row has in all.
static size_t
add_row(struct source_table *table, const struct row *row, char *where, size_t first, size_t end)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	size_t count = 1 + (table->stacks && row->depth > 0 ? stack.count : 0);
	for (size_t line = first; line < end && line < count; line++) {
		char *text = line == 0 ? NULL : row_text_frame(&stack.frames[stack.count - line]);
		if (line == 0)
			add_values(table, row);
		else
			clip_pad(table->clip, INDENT);
		source_table_text(table, text ? text : where);
		free(text);
		clip_end_line(table->clip);
	}
	free(where);
	return count;
}

// Adds at most `lines` lines of `count` rows, from row number `row` and its line number `first` on.
static void
add_rows(struct source_table *table, size_t row, size_t count, size_t first, size_t lines)
{
	const struct row *rows = &table->rows.rows[row];
	char **wheres = wheres_of(table, rows, count);

	for (size_t i = 0; i < count; i++) {
		size_t all = add_row(table, &rows[i], wheres[i], first, first + lines);
		size_t added = all > first ? all - first : 0;
		lines -= added < lines ? added : lines;
		first = 0;
	}
	free(wheres);
}

void
source_table_row(struct source_table *table, const struct row *row)
{
	add_headings(table);
	char **wheres = wheres_of(table, row, 1);
	add_row(table, row, wheres[0], 0, 1);
	free(wheres);
}

void
source_table_draw(struct source_table *table, unsigned lines)
{
	size_t count = table->row < table->rows.count ? table->rows.count - table->row : 0;

	table->longest = 0;
	if (lines == 0)
		return;
	add_headings(table);
	lines--;
	add_rows(table, table->row, count < lines ? count : lines, table->line, lines);
}

void
source_table_rows(struct source_table *table, size_t most)
{
	const struct top_rows *rows = &table->rows;
	struct row more = {0};
	size_t sources = 0;

	while (sources < rows->count && rows->rows[sources].kind == SOURCE_STACK)
		sources++;
	size_t count = most < sources ? most : sources;
	add_headings(table);
	add_rows(table, 0, count, 0, SIZE_MAX);
	for (size_t i = count; i < sources; i++)
		row_add(&more, &rows->rows[i]);
	if (count < sources) {
		add_values(table, &more);
		clip_line(table->clip, "%zu more source%s", sources - count, sources - count == 1 ? "" : "s");
	}
	add_rows(table, sources, rows->count - sources, 0, SIZE_MAX);
}
