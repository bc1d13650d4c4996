// SPDX-License-Identifier: BSD-2-Clause
// cursor: keeps the chosen source chosen and visible, even if its row moves. `lines` is how many
// lines of the screen are for rows, headings not counted. If the rows take at least `lines` lines,
// no line of the screen stays empty.

#ifndef PMEM_CLI_CURSOR_H
#define PMEM_CLI_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "top/source_table.h"

// Scrolls the table so that the chosen source is visible. Must be called before each drawing,
// because rows and lines may have changed.
void cursor_keep_in_sight(struct source_table *table, size_t lines);

// Chooses the row that is `by` rows further down, or further up if `by` is negative. If stacks are
// shown, `by` counts lines. A stack longer than the screen is scrolled before the next row is
// chosen.
void cursor_move(struct source_table *table, int64_t by, size_t lines);

// If no source is chosen, chooses the first row's source. The chosen source then stays chosen when
// rows move.
void cursor_hold(struct source_table *table);
void cursor_first(struct source_table *table);
void cursor_last(struct source_table *table, size_t lines);

#endif
