// SPDX-License-Identifier: BSD-2-Clause
// source_table: what `top` shows of a process: a head of what is known of the process, and the
// table of its sources, as lines that a terminal, or a file, can take.

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
	bool stacks;    // each source's stack below it
	bool is_paused;
	bool has_keys;  // somebody can type
	bool is_gone;   // the process has ended
	bool is_alive;  // it runs; neither: that cannot be told
	int64_t now_ms; // Unix time; 0: how long ago is not told
	bool is_as_of_then; // rates are those of the last snapshot, however long ago that is
	size_t row;     // the first that is in sight, and
	size_t line;    // of this the first line: its stack may be longer than the screen
	// The chosen source, as it was when it was chosen; without one the cursor is on the first row,
	// whichever that is.
	bool has_cursor;
	struct row cursor;
	size_t cursor_row; // its row
	size_t shift;   // columns of the texts behind the numbers that are left of the screen
	size_t longest; // of those that were drawn last, how many columns the longest has, and
	size_t room;    // for how many there was room
	char search[SEARCH_MAX + 1]; // "": all sources are shown
	bool is_typing; // the search
};

// What is known of the process by now, and what time it is.
void source_table_look(struct source_table *table, const struct process_log *log,
	int64_t now_ms);

// The time over which what the last snapshot tells was done: since the one before it. Where the
// process runs and has written nothing for longer than that, though its log has room, it goes on
// until now; in the end it is INTERVAL_STILL. 0: not known.
int64_t source_table_interval(const struct source_table *table, const struct summary *last);

// Adds the head: what process this is, its totals, and what there is to say besides.
void source_table_head(const struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const char *said, struct clip *clip);

// Adds the table, of so many lines in all, its headings included, from its own row and
// line on.
void source_table_draw(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip);

// Adds the headings and the line of one of them, as in the table, or of one that is not there now.
void source_table_row(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const struct row *row, struct clip *clip);

// Adds a line of text from `shift` on.
void source_table_text(struct source_table *table, const char *text, struct clip *clip);

// Adds the table's first so many sources, the sum of the others, {other} and {rest}.
void source_table_rows(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, size_t most, struct clip *clip);

#endif
