// SPDX-License-Identifier: BSD-2-Clause
// Which source is chosen, and which lines of the table are in sight: the chosen one always is, and
// no line stays empty that could have one.

#include <stdlib.h>

#include "rows/resolved_frame.h"
#include "top/top.h"

// Inlined functions are lines, too.
static size_t
lines_of(const struct view *view, const struct top_rows *rows, size_t row)
{
	static struct resolved_stack stack;

	if (!view->stacks || rows->rows[row].depth == 0)
		return 1;
	top_rows_resolve(rows, row, row + 1);
	resolved_stack_take(&stack, &rows->rows[row]);
	return 1 + stack.count;
}

static bool
is_at_cursor(const struct view *view, const struct row *row)
{
	return row->id == view->cursor.id && row->kind == view->cursor.kind;
}

// The place of the chosen source among the rows. Where it has none any more, of the one that stands
// there now.
static size_t
place_of_cursor(const struct view *view, const struct top_rows *rows)
{
	size_t place = view->cursor_row < rows->count ? view->cursor_row
		: rows->count ? rows->count - 1 : 0;

	if (!view->has_cursor)
		return 0;
	for (size_t i = 0; i < rows->count; i++) {
		bool is_one = is_at_cursor(view, &rows->rows[i]);
		// Several sources may have one id, but not the same frames.
		if (is_one && rows->rows[i].frames == view->cursor.frames)
			return i;
		if (is_one && (place >= rows->count || !is_at_cursor(view, &rows->rows[place])))
			place = i;
	}
	return place;
}

static void
put_cursor(struct view *view, const struct top_rows *rows, size_t row)
{
	view->has_cursor = rows->count > 0;
	if (!view->has_cursor)
		return;
	view->cursor_row = row;
	view->cursor = rows->rows[row];
}

// How many lines there are from the first one in sight up to and with a row's last; at most so
// many are counted.
static size_t
lines_through(const struct view *view, const struct top_rows *rows, size_t row, size_t most)
{
	size_t lines = 0;

	for (size_t i = view->row; i <= row && i < rows->count && lines < most + view->line; i++)
		lines += lines_of(view, rows, i);
	return lines > view->line ? lines - view->line : 0;
}

static void
line_down(struct view *view, const struct top_rows *rows)
{
	if (++view->line < lines_of(view, rows, view->row))
		return;
	view->row++;
	view->line = 0;
}

static void
line_up(struct view *view, const struct top_rows *rows)
{
	if (view->line == 0)
		view->line = lines_of(view, rows, --view->row);
	view->line--;
}

void
cursor_keep_in_sight(struct view *view, const struct top_rows *rows, size_t lines)
{
	size_t chosen = view->cursor_row = place_of_cursor(view, rows);

	if (rows->count == 0 || lines == 0) {
		view->row = view->line = 0;
		return;
	}
	if (chosen < view->row || !view->has_cursor) {
		view->row = chosen;
		view->line = 0;
	}
	// A row is a line at least.
	if (chosen - view->row >= lines) {
		view->row = chosen - lines + 1;
		view->line = 0;
	}
	if (view->line >= lines_of(view, rows, view->row))
		view->line = 0;
	while (view->row < chosen && lines_through(view, rows, chosen, lines + 1) > lines)
		line_down(view, rows);
	while ((view->row > 0 || view->line > 0)
			&& lines_through(view, rows, rows->count - 1, lines) < lines)
		line_up(view, rows);
}

// By a line where that is of the chosen one's stack, and out of sight.
static bool
moves_within(struct view *view, const struct top_rows *rows, bool is_down, size_t lines)
{
	bool is_first = view->cursor_row == view->row;

	if (!is_first || (!is_down && view->line == 0)
			|| (is_down && lines_through(view, rows, view->cursor_row, lines + 1) <= lines))
		return false;
	if (is_down)
		view->line++;
	else
		view->line--;
	return true;
}

void
cursor_move(struct view *view, const struct top_rows *rows, int64_t by, size_t lines)
{
	if (rows->count == 0)
		return;
	bool is_down = by > 0;
	size_t end = is_down ? rows->count - 1 : 0;
	cursor_keep_in_sight(view, rows, lines);
	for (int64_t left = is_down ? by : -by; left > 0;) {
		size_t row = view->cursor_row;
		if (moves_within(view, rows, is_down, lines)) {
			put_cursor(view, rows, row);
			left--;
		} else if (row != end) {
			put_cursor(view, rows, is_down ? row + 1 : row - 1);
			left -= (int64_t)lines_of(view, rows, row);
		} else {
			break;
		}
		cursor_keep_in_sight(view, rows, lines);
	}
}

void
cursor_hold(struct view *view, const struct top_rows *rows)
{
	if (!view->has_cursor && rows->count > 0)
		put_cursor(view, rows, 0);
}

void
cursor_first(struct view *view)
{
	view->has_cursor = false;
	view->row = view->line = view->cursor_row = 0;
}

void
cursor_last(struct view *view, const struct top_rows *rows, size_t lines)
{
	if (rows->count == 0)
		return;
	put_cursor(view, rows, rows->count - 1);
	cursor_keep_in_sight(view, rows, lines);
	while (moves_within(view, rows, true, lines))
		continue;
}
