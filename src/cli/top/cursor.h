// SPDX-License-Identifier: BSD-2-Clause
// cursor: the chosen source stays so wherever its row comes to stand. It is in sight, and no line
// stays empty that could have one: `lines` of the table, without its headings.

#ifndef PMEM_CLI_CURSOR_H
#define PMEM_CLI_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "top/rows.h"
#include "top/source_table.h"

// To be called before it is drawn: rows and lines may have become others.
void cursor_keep_in_sight(struct source_table *table, const struct top_rows *rows,
	size_t lines);

// Chooses the one so many rows further down; lines, where stacks are shown.
void cursor_move(struct source_table *table, const struct top_rows *rows, int64_t by,
	size_t lines);
// From here on the cursor goes with the source that it is on.
void cursor_hold(struct source_table *table, const struct top_rows *rows);
void cursor_first(struct source_table *table);
void cursor_last(struct source_table *table, const struct top_rows *rows, size_t lines);

#endif
