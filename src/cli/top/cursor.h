// SPDX-License-Identifier: BSD-2-Clause
// cursor: keeps the chosen source chosen and visible, even if its row moves. If the table has more
// rows than lines, no line stays empty. `lines` is the number of lines in the table, without its
// headings.

#ifndef PMEM_CLI_CURSOR_H
#define PMEM_CLI_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "top/rows.h"
#include "top/source_table.h"

// Scrolls the table so that the chosen source is visible. To be called before each drawing, because
// rows and lines may have changed.
void cursor_keep_in_sight(struct source_table *table, const struct top_rows *rows,
	size_t lines);

// Chooses the row that is `by` rows further down. If stacks are shown, `by` counts lines, and a
// long stack is scrolled through.
void cursor_move(struct source_table *table, const struct top_rows *rows, int64_t by,
	size_t lines);
// Chooses the source that the cursor is on, if none was chosen. It stays chosen when rows move.
void cursor_hold(struct source_table *table, const struct top_rows *rows);
void cursor_first(struct source_table *table);
void cursor_last(struct source_table *table, const struct top_rows *rows, size_t lines);

#endif
