// SPDX-License-Identifier: BSD-2-Clause
// source_table: `top`'s view of a process, as lines for a terminal or a file. It has a head about
// the process, and a table of its sources.

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
	bool is_alive;  // the process runs. Both false if not known
	int64_t now_ms; // Unix time. 0 hides ages
	bool is_as_of_then; // rates are those of the last snapshot, however old it is
	size_t row;     // index of the first row in sight
	size_t line;    // the first line of that row in sight: its stack may be longer than the screen
	// The chosen source, as it was when it was chosen. If there is none, the cursor is on the
	// first row, whichever that is.
	bool has_cursor;
	struct row cursor;
	size_t cursor_row; // index of its row
	size_t shift;   // columns that the texts behind the numbers are shifted left
	size_t longest; // columns of the longest text in the last drawing
	size_t room;    // columns that there were for texts
	char search[SEARCH_MAX + 1]; // "" if all sources are shown
	bool is_typing; // the user is typing the search
};

// Sets the state of the process and the time.
void source_table_look(struct source_table *table, const struct process_log *log,
	int64_t now_ms);

// Returns the time since the snapshot before, in which the last snapshot's work was done. If the
// process has been silent for longer, though its log has room, the time goes on until now. In the
// end it is INTERVAL_STILL. Returns 0 if the time is not known.
int64_t source_table_interval(const struct source_table *table, const struct summary *last);

// Adds the head: the process, its totals, and remarks.
void source_table_head(const struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const char *said, struct clip *clip);

// Adds the table, of `lines` lines with its headings, from the first row and line in sight.
void source_table_draw(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip);

// Adds the headings and the line of one row, which need not be in the table now.
void source_table_row(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, const struct row *row, struct clip *clip);

// Adds a line of text, shifted left by `shift` columns.
void source_table_text(struct source_table *table, const char *text, struct clip *clip);

// Adds the first `most` sources of the table, the sum of the others, {other} and {rest}.
void source_table_rows(struct source_table *table, const struct follow *follow,
	const struct top_rows *rows, size_t most, struct clip *clip);

#endif
