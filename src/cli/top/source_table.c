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
	WIDTH_THREAD = 20, // columns for a thread's name of 15 characters and " 100%"
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

static unsigned
column_width(void)
{
	return unit_exact ? WIDTH_EXACT : WIDTH_TEXT + 1;
}

static void
choose_columns(const struct source_table *table, unsigned width, bool shown[MEASURES])
{
	unsigned least = 1 + column_width() + WHERE_LEAST;
	memset(shown, 0, MEASURES * sizeof(shown[0]));
	shown[table->by] = true;
	for (int i = 0; i < MEASURES; i++) {
		if (shown[order[i]])
			continue;
		least += 1 + column_width();
		shown[order[i]] = width == 0 || least <= width;
	}
}

// Returns true if the column of threads is shown: some thread is known, and the terminal is wide
// enough.
static bool
shows_threads(const struct source_table *table, const struct top_rows *rows, unsigned width)
{
	unsigned least = 1 + WIDTH_THREAD + 2 + WHERE_LEAST;
	bool shown[MEASURES];
	choose_columns(table, width, shown);
	for (int i = 0; i < MEASURES; i++)
		least += shown[i] ? 1 + column_width() : 0;
	return rows->has_threads && (width == 0 || least <= width);
}

// If keys can be typed, adds a first column with a mark for the chosen row. Returns how many
// columns of the terminal the mark took.
static unsigned
add_mark(const struct source_table *table, bool is_chosen, struct clip *clip)
{
	if (!table->has_keys)
		return 0;
	clip_text(clip, is_chosen ? ">" : " ");
	return 1;
}

static void
add_headings(const struct source_table *table, const struct top_rows *rows,
	int64_t interval_ms, struct clip *clip)
{
	bool shown[MEASURES];
	char text[MEASURE_TEXT];

	unsigned mark = add_mark(table, false, clip);
	choose_columns(table, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		bool is_sorted = i == (int)table->by;
		if (!shown[i])
			continue;
		snprintf(text, sizeof(text), "%s%s%s", is_sorted ? table->reverse ? "^" : "*" : "",
			measure_names[i], measure_is_rate((enum measure)i) ? measure_per(interval_ms) : "");
		clip_style(clip, is_sorted ? STYLE_BOLD : STYLE_DIM);
		clip_right(clip, text, column_width() - mark);
		mark = 0;
		clip_style(clip, STYLE_PLAIN);
		clip_text(clip, " ");
	}
	clip_style(clip, STYLE_DIM);
	clip_text(clip, " ");
	if (shows_threads(table, rows, clip->width)) {
		clip_text(clip, "thread");
		clip_pad(clip, clip->column + WIDTH_THREAD + 2 - (unsigned)strlen("thread"));
	}
	clip_text(clip, "where");
	clip_end_line(clip);
}

// Adds the name of the thread that allocated most of the source, and its percentage. Adds only
// blanks if the thread is not known.
static void
add_thread(const struct share *by, struct clip *clip)
{
	unsigned end = clip->column + WIDTH_THREAD + 2;

	if (by->name)
		clip_format(clip, "%s %u%%", by->name, by->percent);
	clip_pad(clip, end);
}

static void
add_values(const struct source_table *table, const struct top_rows *rows,
	const struct row *row, const struct snapshot *last, struct clip *clip)
{
	bool is_sampled = last->run->sampled > 0;
	bool shown[MEASURES];
	char text[MEASURE_TEXT + 1] = "~";
	bool is_chosen = table->has_keys && row == &rows->rows[table->cursor_row];
	unsigned mark = add_mark(table, is_chosen, clip);

	choose_columns(table, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		enum measure measure = (enum measure)i;
		if (!shown[i])
			continue;
		measure_text(text + is_sampled, measure, measure_value(row, measure),
			source_table_interval(table, &last->summary));
		// Logs of pmem's first version do not count blocks and calls.
		bool is_known = measure_is_bytes(measure) || !last->run->is_seeds;
		clip_right(clip, is_known ? text : "-", column_width() - mark);
		mark = 0;
		clip_text(clip, " ");
	}
	clip_text(clip, " ");
	if (shows_threads(table, rows, clip->width))
		add_thread(&row->by, clip);
}

void
source_table_text(struct source_table *table, const char *text, struct clip *clip)
{
	size_t columns = glyph_columns(text);

	if (columns > table->longest)
		table->longest = columns;
	table->room = clip->width > clip->column ? clip->width - clip->column : 0;
	clip_text(clip, text + glyph_cut(text, table->shift));
}

// Returns the texts of the last column for `count` rows from `row` on. The texts are cut to the
// columns that are left, unless the user has shifted them. The caller frees each text and the
// array.
static char **
wheres_of(struct source_table *table, const struct top_rows *rows, size_t row,
	size_t count, unsigned width)
{
	unsigned before = 1 + (shows_threads(table, rows, width) ? WIDTH_THREAD + 2 : 0);
	bool shown[MEASURES];

	choose_columns(table, width, shown);
	for (int i = 0; i < MEASURES; i++)
		before += shown[i] ? 1 + column_width() : 0;
	struct row *cut = memory_get(count, sizeof(*cut));
	for (size_t i = 0; i < count; i++)
		cut[i] = top_rows_cut(rows, &rows->rows[row + i]);
	char **texts = disambiguate_rows(cut, count);
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
add_row(struct source_table *table, const struct top_rows *rows, const struct row *row,
	char *where, size_t first, size_t end, const struct snapshot *last, struct clip *clip)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	size_t count = 1 + (table->stacks && row->depth > 0 ? stack.count : 0);
	for (size_t line = first; line < end && line < count; line++) {
		char *text = line == 0 ? NULL : row_text_frame(&stack.frames[stack.count - line]);
		if (line == 0)
			add_values(table, rows, row, last, clip);
		else
			clip_pad(clip, INDENT);
		source_table_text(table, text ? text : where, clip);
		free(text);
		clip_end_line(clip);
	}
	free(where);
	return count;
}

// Adds at most `lines` lines of `count` rows, from row number `row` and its line number `first` on.
static void
add_rows(struct source_table *table, const struct top_rows *rows, size_t row, size_t count,
	size_t first, size_t lines, const struct snapshot *last, struct clip *clip)
{
	char **wheres = wheres_of(table, rows, row, count, clip->width);

	for (size_t i = 0; i < count; i++) {
		size_t all = add_row(table, rows, &rows->rows[row + i], wheres[i], first, first + lines,
			last, clip);
		size_t added = all > first ? all - first : 0;
		lines -= added < lines ? added : lines;
		first = 0;
	}
	free(wheres);
}

void
source_table_row(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const struct row *row, struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);
	struct top_rows one = *rows;

	one.rows = (struct row *)row;
	one.count = 1;
	add_headings(table, rows, source_table_interval(table, &last->summary), clip);
	char **wheres = wheres_of(table, &one, 0, 1, clip->width);
	add_row(table, rows, row, wheres[0], 0, 1, last, clip);
	free(wheres);
}

void
source_table_draw(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);
	size_t count = table->row < rows->count ? rows->count - table->row : 0;

	table->longest = 0;
	if (lines == 0)
		return;
	add_headings(table, rows, source_table_interval(table, &last->summary), clip);
	lines--;
	add_rows(table, rows, table->row, count < lines ? count : lines, table->line, lines, last, clip);
}

void
source_table_rows(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, size_t most, struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);
	struct row more = {0};
	size_t sources = 0;

	while (sources < rows->count && rows->rows[sources].kind == SOURCE_STACK)
		sources++;
	size_t count = most < sources ? most : sources;
	add_headings(table, rows, source_table_interval(table, &last->summary), clip);
	add_rows(table, rows, 0, count, 0, SIZE_MAX, last, clip);
	for (size_t i = count; i < sources; i++)
		row_add(&more, &rows->rows[i]);
	if (count < sources) {
		add_values(table, rows, &more, last, clip);
		clip_format(clip, "%zu more source%s", sources - count, sources - count == 1 ? "" : "s");
		clip_end_line(clip);
	}
	add_rows(table, rows, sources, rows->count - sources, 0, SIZE_MAX, last, clip);
}
