// SPDX-License-Identifier: BSD-2-Clause
// top: the terminal as a screen, the rows of numbers, and the table of both that is drawn.

#ifndef PMEM_CLI_TOP_H
#define PMEM_CLI_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/snapshot.h"
#include "rows/row.h"
#include "print/clip.h"
#include "log/follow.h"
#include "top/process_log.h"

// screen: the whole terminal, for what is drawn again and again, and the keys
// pressed.
//
// While it is open the terminal shows the other screen, keys come one by one and unseen,
// and what is written to standard error is kept for afterwards. All is as it was before
// when it is closed, when the process ends by exit() or die(), and when SIGHUP, SIGINT,
// SIGQUIT or SIGTERM ends it; while SIGTSTP has stopped it, too. SIGCONT brings the
// screen back.

// What a terminal sends for the keys pressed, one key after the other. Any bytes
// will do.
// What there is beside the characters from ' ' to '~'.
enum key {
	KEY_NONE,   // the time is up
	KEY_REDRAW, // the size changed, or we were continued
	KEY_CLOSED, // there will be no keys any more
	KEY_OTHER,  // one that has no name here
	KEY_UP = 256,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_ENTER,
	KEY_ESCAPE,
	KEY_BACKSPACE,
};

// Bytes that have been read; more go behind them.
struct keys {
	char bytes[64];
	size_t count;
};

// Takes the first key out; KEY_NONE: there is none, or, unless `is_all`, more of it may
// come.
int keys_take(struct keys *keys, bool is_all);

// Whether standard input and output are a terminal that can do this.
bool screen_is_possible(void);

void screen_open(void);
void screen_close(void);

// The next key (enum key), or what else happened within so many milliseconds.
int screen_key(int timeout_ms);

// Columns and rows, at least 1.
void screen_size(unsigned *columns, unsigned *rows);

// Shows the lines, each with a '\n', from the top; as many as there are rows. They must
// be no wider than the screen.
void screen_show(const char *lines, size_t length);

// The last line that went to standard error since the screen was opened; "": none.
const char *screen_said(void);

// rows: the sources of a run after its last snapshot, and the columns of numbers that `top`
// shows of them: what each holds, and what it has done since the snapshot before.
//
// What the log does not tell of one source for sure is in {rest}: the rows add up to the total.

enum {
	MEASURE_TEXT = UNIT_TEXT + 8, // room for a number
};

// In place of an interval: the process stands still, and what it did is over.
#define INTERVAL_STILL INT64_MAX

enum measure {
	MEASURE_LIVE,
	MEASURE_BLOCKS,
	MEASURE_GROWTH, // of live, since the snapshot before; as the next three
	MEASURE_ALLOC,
	MEASURE_CHURN,
	MEASURE_ALLOCS,
	MEASURES
};
extern const char *const measure_names[]; // in that order, then NULL

bool measure_is_bytes(enum measure measure);
bool measure_is_rate(enum measure measure);

int64_t measure_value(const struct row *row, enum measure measure);

// The number as it is shown: what was done since the snapshot before a second, or, where the
// time between the two is not known (0), in all. Writes into text and returns it.
char *measure_text(char text[MEASURE_TEXT], enum measure measure, int64_t value,
	int64_t interval_ms);

// What such a number is per: "/s", "/snapshot".
const char *measure_per(int64_t interval_ms);

struct top_rows {
	struct row *rows; // `before` is of the snapshot before; {other} and {rest} last
	size_t count, room;
	bool has_threads; // of some it is known whose they mostly are
	struct row total;
	size_t all;       // how many there were before a search
	struct row found; // what those have that it left
};

// Anew from what is known by now. A source that holds nothing and did nothing has no row.
void top_rows_make(struct top_rows *rows, const struct snapshot *last);

// Largest first, or smallest; equal ones by what is live, then by id.
void top_rows_sort(struct top_rows *rows, enum measure by, bool reverse);

// Looks up the names of the rows from one to before another, before the first of them is needed: each
// call may start other programs.
void top_rows_resolve(const struct top_rows *rows, size_t row, size_t end);

// Leaves those that the text is found in: in a function's or a module's name, the thread's, or the id.
// Small letters stand for capital ones, too. An empty text leaves all.
void top_rows_search(struct top_rows *rows, const char *text);

// source_table: what `top` shows of a process: a head of what is known of the process, and the
// table of its sources, as lines that a terminal, or a file, can take.

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

// cursor: the chosen source stays so wherever its row comes to stand. It is in sight, and no line
// stays empty that could have one: `lines` of the table, without its headings.

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
