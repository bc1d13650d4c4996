// SPDX-License-Identifier: BSD-2-Clause
// source_table: `top`'s view of one process, as lines for a terminal or a file: a head about the
// process, and a table of its sources.

#ifndef PMEM_CLI_SOURCE_TABLE_H
#define PMEM_CLI_SOURCE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/follow.h"
#include "log/snapshot.h"
#include "rows/row.h"
#include "print/clip.h"
#include "top/process_log.h"
#include "top/rows.h"

enum { SEARCH_MAX = 60 };

struct source_table {
	enum measure by;
	bool reverse;
	bool stacks;    // true if each source's stack is shown below its line
	bool is_paused;
	bool has_keys;  // true if keys can be typed
	bool is_gone;   // the process has ended
	bool is_alive;  // the process runs; if is_gone is false, too, it is not known
	int64_t now_ms; // Unix time; if 0, ages are not shown
	bool is_as_of_then; // rates are of the last snapshot's interval, even if that was long ago
	size_t row;     // index of the first visible row
	size_t line;    // the first visible line of that row, whose stack may be longer than the screen
	// The chosen source's row as it was when chosen. If no source is chosen, the cursor is on the
	// first row, even if that becomes another source.
	bool has_cursor;
	struct row cursor;
	size_t cursor_row; // index that the chosen source's row last had
	size_t shift;   // by how many columns the texts behind the numbers are shifted to the left
	size_t longest; // columns of the longest text in the last drawing
	size_t room;    // columns that were left for texts in the last drawing
	char search[SEARCH_MAX + 1]; // "" if all sources are shown
	bool is_typing; // true while the user types the search
};

// Sets whether the process runs, and the present time.
void source_table_look(struct source_table *table, const struct process_log *log,
	int64_t now_ms);

// Returns the time in which the work of the last snapshot was done: since the snapshot before. If
// no snapshot has come for longer, although the log may have one, returns that longer time until
// now. After a long time returns INTERVAL_STILL. Returns 0 if the time is not known.
int64_t source_table_interval(const struct source_table *table, const struct summary *last);

// Adds the head: the process, its totals, and remarks about what is unusual.
void source_table_head(const struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const char *said, struct clip *clip);

// Adds a table of `lines` lines, headings included. It begins with table->row and table->line.
void source_table_draw(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip);

// Adds the headings and one row's line. The row need not be in the table now.
void source_table_row(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const struct row *row, struct clip *clip);

// Adds a text, shifted to the left by table->shift columns.
void source_table_text(struct source_table *table, const char *text, struct clip *clip);

// Adds the table's first `most` sources, a line for the sum of the others, {other} and {rest}.
void source_table_rows(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, size_t most, struct clip *clip);

#endif
