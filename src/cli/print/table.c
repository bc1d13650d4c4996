// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/glyph.h"
#include "print/clip.h"
#include "print/ellipsis.h"
#include "print/table.h"
#include "print/wrap.h"

enum {
	GAP = 2, // blanks between two columns
	LINES_MOST = 20, // the most lines if the caller requests no number
	// the fewest lines if the caller requests no number, however small the terminal is
	LINES_LEAST = 5,
	// if the last column would have fewer columns than this, other columns are left out
	LEAST_TEXT = 40,
	LEAST_CUT = 16,  // texts are not cut to fewer columns than this: names would become useless
};

struct table_line {
	char *cells[TABLE_COLUMNS]; // for a line of table_add_text(), only the first cell
	enum style style;
	bool is_text;
};

struct text_table {
	struct column columns[TABLE_COLUMNS];
	size_t count;
	struct table_line *lines; // the first has the titles
	size_t line_count;
	size_t room;
	size_t widths[TABLE_COLUMNS];
	bool has_text[TABLE_COLUMNS], is_gone[TABLE_COLUMNS];
	size_t text_width; // terminal columns that are left for the last column; 0 for no limit
	const char *before; // the argument of table_wrap(); NULL if texts are cut
};

uint64_t
table_most_lines(uint64_t asked, unsigned others)
{
	if (asked == 0)
		return UINT64_MAX;
	if (asked != TABLE_LINES)
		return asked;
	if (!isatty(STDOUT_FILENO))
		return LINES_MOST;
	unsigned height = term_height();
	unsigned left = height > others ? height - others : 0;
	return left < LINES_LEAST ? LINES_LEAST : left > LINES_MOST ? LINES_MOST : left;
}

static struct table_line *
add_line(struct text_table *table)
{
	table->lines = memory_grow(table->lines, table->line_count, &table->room,
		sizeof(*table->lines));
	return &table->lines[table->line_count++];
}

static void
add_cells(struct text_table *table, enum style style, const char *const *cells)
{
	struct table_line *line = add_line(table);

	line->style = style;
	for (size_t i = 0; i < table->count; i++) {
		const char *text = cells[i] ? cells[i] : "";
		size_t columns = glyph_columns(text);
		line->cells[i] = memory_text(text, strlen(text));
		if (columns > table->widths[i])
			table->widths[i] = columns;
	}
}

struct text_table *
table_open(const struct column *columns, size_t count)
{
	struct text_table *table = memory_get(1, sizeof(*table));
	const char *titles[TABLE_COLUMNS];

	ASSERT(count > 0 && count <= TABLE_COLUMNS);
	memcpy(table->columns, columns, count * sizeof(*columns));
	table->count = count;
	for (size_t i = 0; i < count; i++)
		titles[i] = columns[i].title;
	add_cells(table, STYLE_BOLD, titles);
	return table;
}

void
table_add(struct text_table *table, enum style style, const char *const *cells)
{
	add_cells(table, style, cells);
	for (size_t i = 0; i < table->count; i++)
		table->has_text[i] |= cells[i] && cells[i][0];
}

void
table_add_text(struct text_table *table, const char *text)
{
	struct table_line *line = add_line(table);

	line->is_text = true;
	line->cells[0] = memory_text(text, strlen(text));
}

void
table_wrap(struct text_table *table, const char *before)
{
	table->before = before;
}

static size_t
columns_before_text(const struct text_table *table)
{
	size_t columns = 0;

	for (size_t i = 0; i + 1 < table->count; i++)
		if (!table->is_gone[i])
			columns += table->widths[i] + GAP;
	return columns;
}

static void
fit(struct text_table *table)
{
	size_t width = term_width();
	size_t text = table->widths[table->count - 1];

	for (size_t i = 0; i + 1 < table->count; i++)
		table->is_gone[i] = table->line_count > 1 && !table->has_text[i];
	if (width == 0)
		return;
	if (text > LEAST_TEXT)
		text = LEAST_TEXT;
	for (size_t i = table->count; i-- > 0;)
		if (table->columns[i].may_go && columns_before_text(table) + text > width)
			table->is_gone[i] = true;
	size_t before = columns_before_text(table);
	size_t least = table->before ? GAP + 1 : text < LEAST_CUT ? text : LEAST_CUT;
	// If the terminal has fewer than `least` columns left for the text, the text keeps its width.
	// The terminal then wraps it.
	table->text_width = width >= before + least ? width - before : text;
}

// Adds the last column's text in as many lines as needed. All but the first line are indented
// farther than the text's beginning.
static void
add_wrapped(const struct text_table *table, struct clip *clip, const char *text)
{
	size_t indent = strspn(text, " ") + 2 * GAP;
	size_t room = table->text_width;
	size_t length = strlen(text);

	if (indent > room / 2)
		indent = room / 2;
	while (room > 0) {
		size_t at = wrap_at(text, length, room, table->before);
		if (at >= length)
			break;
		char *line = memory_text(text, at);
		clip_text(clip, line);
		clip_end_line(clip);
		free(line);
		at += strspn(text + at, " ");
		text += at;
		length -= at;
		room = table->text_width - indent;
		clip_pad(clip, (unsigned)(columns_before_text(table) + indent));
	}
	clip_text(clip, text);
	clip_end_line(clip);
}

static void
print_line(const struct text_table *table, struct clip *clip, const struct table_line *line)
{
	size_t last = table->count - 1;

	if (line->is_text) {
		clip_line(clip, "%s", line->cells[0]);
		return;
	}
	if (line->style != STYLE_PLAIN)
		clip_style(clip, line->style);
	for (size_t i = 0; i < last; i++) {
		if (table->is_gone[i])
			continue;
		clip_right(clip, line->cells[i], (unsigned)table->widths[i]);
		clip_pad(clip, clip->column + GAP);
	}
	if (table->before)
		add_wrapped(table, clip, line->cells[last]);
	else
		clip_line(clip, "%s", line->cells[last]);
}

// Cuts the texts of the last column to the terminal columns that are left for it.
static void
cut(struct text_table *table)
{
	char **texts = memory_get(table->line_count, sizeof(*texts));
	size_t last = table->count - 1, count = 0;

	for (size_t i = 0; i < table->line_count; i++)
		if (!table->lines[i].is_text)
			texts[count++] = table->lines[i].cells[last];
	char **results = ellipsis_fit(texts, count, table->text_width);
	count = 0;
	for (size_t i = 0; i < table->line_count; i++) {
		if (table->lines[i].is_text)
			continue;
		free(texts[count]);
		table->lines[i].cells[last] = results[count++];
	}
	free(texts);
	free(results);
}

void
table_print(FILE *to, struct text_table *table)
{
	struct clip clip = {0};

	fit(table);
	if (!table->before)
		cut(table);
	for (size_t i = 0; i < table->line_count; i++) {
		print_line(table, &clip, &table->lines[i]);
		for (size_t j = 0; j < TABLE_COLUMNS; j++)
			free(table->lines[i].cells[j]);
	}
	clip_print(to, &clip);
	clip_free(&clip);
	free(table->lines);
	free(table);
}

struct remainder {
	unsigned __int128 left;
	size_t index;
};

static int
by_left(const void *a, const void *b)
{
	const struct remainder *one = a, *other = b;

	if (one->left != other->left)
		return one->left > other->left ? -1 : 1;
	return (one->index > other->index) - (one->index < other->index);
}

void
share_split(unsigned *tenths, unsigned whole, const uint64_t *parts, size_t count)
{
	struct remainder *remainders = memory_get(count, sizeof(*remainders));
	unsigned __int128 sum = 0;
	unsigned left = whole;

	for (size_t i = 0; i < count; i++) {
		tenths[i] = 0;
		sum += parts[i];
	}
	for (size_t i = 0; i < count && sum > 0; i++) {
		unsigned __int128 part = (unsigned __int128)parts[i] * whole;
		tenths[i] = (unsigned)(part / sum);
		remainders[i] = (struct remainder){part % sum, i};
		left -= tenths[i];
	}
	// Rounding down took less than a tenth of a percent from each part. So `left`, the sum of all
	// that was taken, is at most one tenth for each part.
	ASSERT(sum == 0 || left <= count);
	qsort(remainders, count, sizeof(*remainders), by_left);
	for (size_t i = 0; sum > 0 && i < left; i++)
		tenths[remainders[i].index]++;
	free(remainders);
}
