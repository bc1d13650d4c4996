// SPDX-License-Identifier: BSD-2-Clause
// source_table: `top`'s view of one process, as lines for a terminal or a file. The lines are a
// head about the process, and a table of its sources.

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
#include "top/search.h"

struct source_table {
	struct process_log *log; // the process; NULL if none is shown
	struct top_rows rows;    // its sources
	struct clip *clip;       // where lines are added
	enum measure by;
	bool reverse;
	bool stacks;    // true if each source's stack is shown below its line
	bool is_paused;
	bool has_keys;  // true if keys can be typed
	bool is_gone;   // true if the process has ended; false if not known
	bool is_alive;  // true if the process runs; false if not known
	int64_t now_ms; // Unix time; if 0, ages are not shown
	double growth;  // of live and mapped bytes, an hour; 0 if not known
	// true if rates are always over the last snapshot's own interval, even long after the
	// snapshot
	bool is_as_of_then;
	size_t row;     // index of the first row that is visible
	// number of the first visible line of row `row`; a row with a stack may be longer than the
	// screen
	size_t line;
	// has_cursor is true if a row was chosen. `cursor` is its place. If no row is chosen, the cursor
	// stays on the first row, even when another row comes first.
	bool has_cursor;
	size_t cursor;
	size_t cursor_row; // last known index of the chosen row
	size_t shift;   // the texts after the numbers are shifted to the left by this many columns
	size_t longest; // columns of the longest text in the last drawing
	size_t room;    // columns that were left for texts in the last drawing
	struct search search; // keeps sources that have the text
};

// Makes the rows as of the last snapshot, those that the search leaves, and sorts them.
void source_table_make(struct source_table *table);

// Stores whether the process runs, how fast it grows, and the present time.
void source_table_look(struct source_table *table, int64_t now_ms);

// Returns the interval for rates, in ms: the time between the last two snapshots. If the process
// has been silent for longer than this, although the log's limit allows a snapshot, returns the
// time of silence. If the process stands still (head.c), returns INTERVAL_STILL. Returns 0 if the
// interval is not known.
int64_t source_table_interval(const struct source_table *table);

// Adds the head: the process, its totals, and remarks about what is unusual.
void source_table_head(const struct source_table *table, const char *said);

// Adds a table of `lines` lines, headings included. A row may have several lines: the first one
// below the headings is line number table->line of row number table->row.
void source_table_draw(struct source_table *table, unsigned lines);

// Adds the headings and the line of one row, which need not be in the table now.
void source_table_row(struct source_table *table, const struct row *row);

// Adds a text that is shifted to the left by table->shift columns.
void source_table_text(struct source_table *table, const char *text);

// Adds the headings, the first `most` sources, a line for the sum of the other sources, {other} and
// {rest}.
void source_table_rows(struct source_table *table, size_t most);

#endif
