// SPDX-License-Identifier: BSD-2-Clause
// cursor: keeps the chosen source chosen and in sight, wherever its row moves. No line of the
// table stays empty if a row could fill it. `lines` is the number of lines in the table, without
// its headings.

#ifndef PMEM_CLI_CURSOR_H
#define PMEM_CLI_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "top/rows.h"
#include "top/source_table.h"

// To be called before each drawing, since rows and lines may have changed.
void cursor_keep_in_sight(struct source_table *table, const struct top_rows *rows,
	size_t lines);

// Chooses the row `by` rows further down, or lines if stacks are shown.
void cursor_move(struct source_table *table, const struct top_rows *rows, int64_t by,
	size_t lines);
// Keeps the cursor on the source that it is on, from here on.
void cursor_hold(struct source_table *table, const struct top_rows *rows);
void cursor_first(struct source_table *table);
void cursor_last(struct source_table *table, const struct top_rows *rows, size_t lines);

#endif
