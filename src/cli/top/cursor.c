// SPDX-License-Identifier: BSD-2-Clause
// Keeps the chosen source visible. If all rows together have enough lines to fill the screen, no
// line of the screen stays empty.


#include "base/assert.h"
#include "rows/resolved_frame.h"
#include "top/cursor.h"
#include "top/source_table.h"

// Returns how many lines the row takes. If stacks are shown, each function takes a line. Inlined
// functions take a line each, too.
static size_t
lines_of(const struct source_table *table, size_t row)
{
	static struct resolved_stack stack;

	if (!table->stacks || table->rows.rows[row].depth == 0)
		return 1;
	resolved_stack_take(&stack, &table->rows.rows[row]);
	return 1 + stack.count;
}

// Returns the index of the chosen source's row. If the source has no row now, returns the index
// that its row last had. The row now there is chosen instead.
static size_t
place_of_cursor(const struct source_table *table)
{
	size_t place = table->cursor_row < table->rows.count ? table->cursor_row
		: table->rows.count ? table->rows.count - 1 : 0;

	if (!table->has_cursor)
		return 0;
	for (size_t i = 0; i < table->rows.count; i++)
		if (table->rows.rows[i].place == table->cursor)
			return i;
	return place;
}

static void
put_cursor(struct source_table *table, size_t row)
{
	table->has_cursor = table->rows.count > 0;
	if (!table->has_cursor)
		return;
	ASSERT(row < table->rows.count);
	table->cursor_row = row;
	table->cursor = table->rows.rows[row].place;
}

// Returns the number of lines from the first visible line to the end of row number `row`. Stops
// counting soon after `most` lines.
static size_t
lines_through(const struct source_table *table, size_t row, size_t most)
{
	size_t lines = 0;

	for (size_t i = table->row; i <= row && i < table->rows.count && lines < most + table->line; i++)
		lines += lines_of(table, i);
	return lines > table->line ? lines - table->line : 0;
}

static void
line_up(struct source_table *table)
{
	ASSERT(table->row > 0 || table->line > 0);
	if (table->line == 0)
		table->line = lines_of(table, --table->row);
	table->line--;
}

void
cursor_keep_in_sight(struct source_table *table, size_t lines)
{
	size_t chosen = table->cursor_row = place_of_cursor(table);

	if (table->rows.count == 0 || lines == 0) {
		table->row = table->line = 0;
		return;
	}
	if (chosen < table->row || !table->has_cursor) {
		table->row = chosen;
		table->line = 0;
	}
	// Each row takes at least one line, so at most `lines` rows fit. Scrolling by rows first is
	// fast: the lines of stacks are counted only for the rows that remain.
	if (chosen - table->row >= lines) {
		table->row = chosen - lines + 1;
		table->line = 0;
	}
	if (table->line >= lines_of(table, table->row))
		table->line = 0;
	while (table->row < chosen && lines_through(table, chosen, lines + 1) > lines) {
		table->line = (table->line + 1) % lines_of(table, table->row);
		table->row += table->line == 0;
	}
	while ((table->row > 0 || table->line > 0)
			&& lines_through(table, table->rows.count - 1, lines) < lines)
		line_up(table);
}

// Scrolls by one line if that shows a hidden line of the chosen source's stack, and returns true.
// Otherwise returns false.
static bool
moves_within(struct source_table *table, bool is_down, size_t lines)
{
	bool is_first = table->cursor_row == table->row;

	if (!is_first || (!is_down && table->line == 0)
			|| (is_down && lines_through(table, table->cursor_row, lines + 1) <= lines))
		return false;
	if (is_down)
		table->line++;
	else
		table->line--;
	return true;
}

void
cursor_move(struct source_table *table, int64_t by, size_t lines)
{
	if (table->rows.count == 0)
		return;
	bool is_down = by > 0;
	size_t end = is_down ? table->rows.count - 1 : 0;
	cursor_keep_in_sight(table, lines);
	for (int64_t left = is_down ? by : -by; left > 0;) {
		size_t row = table->cursor_row;
		if (moves_within(table, is_down, lines)) {
			put_cursor(table, row);
			left--;
		} else if (row != end) {
			put_cursor(table, is_down ? row + 1 : row - 1);
			left -= (int64_t)lines_of(table, row);
		} else {
			break;
		}
		cursor_keep_in_sight(table, lines);
	}
}

void
cursor_hold(struct source_table *table)
{
	if (!table->has_cursor && table->rows.count > 0)
		put_cursor(table, 0);
}

void
cursor_first(struct source_table *table)
{
	table->has_cursor = false;
	table->row = table->line = table->cursor_row = 0;
}

void
cursor_last(struct source_table *table, size_t lines)
{
	if (table->rows.count == 0)
		return;
	put_cursor(table, table->rows.count - 1);
	cursor_keep_in_sight(table, lines);
	while (moves_within(table, true, lines))
		continue;
}
