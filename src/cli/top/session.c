// SPDX-License-Identifier: BSD-2-Clause
// Runs the terminal and handles keys. The terminal shows the table of processes, or the sources of
// one process.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system.h"
#include "top/cursor.h"
#include "top/detail.h"
#include "top/keys.h"
#include "top/screen.h"
#include "top/session.h"

enum {
	HEAD_LINES = 4,  // lines of source_table_head()
	SHIFT = 8,       // columns by which a key shifts texts sideways
};

static const char keys_help[] =
	"  up down       choose a source; also k, j\n"
	"  Page Up/Down  a screen\n"
	"  Home End      first, last\n"
	"  Enter         all of it: history, stack, threads; then its next stack\n"
	"  left right    move the texts sideways\n"
	"  /             search: functions, modules, threads, ids; Escape shows all again\n"
	"  l b g a c n   sort by live, blocks, growth, alloc, churn, allocs\n"
	"  < >           sort by the column before, after\n"
	"  r             the other way round\n"
	"  s             stacks on, off\n"
	"  blank         stand still; go on\n"
	"  h ?           these keys\n"
	"  q             back to the table or the processes, or quit; also Escape\n"
	"\n"
	"  any key goes back\n";

static const char list_keys_help[] =
	"  up down       choose a process; also k, j\n"
	"  Page Up/Down  a screen\n"
	"  Home End      first, last\n"
	"  Enter         its sources; q or Escape goes back\n"
	"  /             search: commands, logs, pids; Escape shows all again\n"
	"  g l           sort by growth, live\n"
	"  r             the other way round\n"
	"  blank         stand still; go on\n"
	"  h ?           these keys\n"
	"  q             quit\n"
	"\n"
	"  any key goes back\n";

struct session {
	struct process_list *list;
	struct source_table table; // without a log if the table of processes is shown
	struct detail detail;
	struct clip clip;
	bool shows_keys;
	bool quit;
	unsigned page; // how many lines of the table are on the screen, headings not counted
};

// Returns the search of the table that is shown.
static struct search *
search_of(struct session *session)
{
	return session->table.log ? &session->table.search : &session->list->search;
}

// Keeps only the rows that the search finds. The list of processes follows at the next look().
static void
search(struct session *session)
{
	if (!session->table.log)
		return;
	source_table_make(&session->table);
	if (session->table.search.text[0])
		cursor_first(&session->table);
}

static void
search_anew(struct session *session, bool is_typing)
{
	*search_of(session) = (struct search){.is_typing = is_typing};
	search(session);
}

// Reads new snapshots and takes the present time, unless the display is paused. Checks whether
// processes run.
static void
look(struct session *session)
{
	struct source_table *table = &session->table;
	int64_t now_ms = table->is_paused ? table->now_ms : clock_ms(CLOCK_REALTIME);

	if (!table->log) {
		if (!table->is_paused)
			process_list_take(session->list, false);
		process_list_look(session->list, now_ms);
		table->now_ms = now_ms;
		return;
	}
	if (!table->is_paused && process_log_take(table->log, false))
		source_table_make(table);
	if (!table->is_paused && session->detail.is_open)
		source_history_take(&session->detail.history);
	process_log_look(table->log);
	source_table_look(table, now_ms);
}

static void
draw_sources(struct session *session)
{
	struct source_table *table = &session->table;

	cursor_keep_in_sight(table, session->page);
	source_table_head(table, screen_said());
	if (session->detail.is_open)
		detail_draw(&session->detail, table, session->page + 1);
	else
		source_table_draw(table, session->page + 1);
}

static void
draw(struct session *session)
{
	struct clip *clip = &session->clip;
	unsigned head = session->table.log ? HEAD_LINES + 1 : PROCESS_LIST_HEAD_LINES;
	unsigned columns;
	unsigned rows;

	screen_size(&columns, &rows);
	clip_begin(clip, columns);
	session->page = rows > head ? rows - head : 1;
	if (session->shows_keys) {
		const char *line = session->table.log ? keys_help : list_keys_help;
		for (; *line; line += strcspn(line, "\n") + 1)
			clip_line(clip, "%.*s", (int)strcspn(line, "\n"), line);
	} else if (session->table.log) {
		draw_sources(session);
	} else {
		process_list_draw(session->list, session->table.is_paused ? "paused: blank goes on"
			: screen_said(), session->page, clip);
	}
	screen_show(clip->lines.at, clip->lines.count);
}

static void
open_one(struct session *session, struct process_log *log)
{
	session->table.log = log;
	session->table.search = (struct search){0};
	session->table.shift = 0;
	cursor_first(&session->table);
	if (log)
		source_table_make(&session->table);
}

// Goes back by the first of these steps that is possible: close the opened source; end the search
// (Escape only); close the opened process and show the list; quit ('q' only).
static void
go_back(struct session *session, int key)
{
	if (session->detail.is_open) {
		detail_close(&session->detail);
		session->table.shift = 0;
	} else if (key == KEY_ESCAPE && search_of(session)->text[0]) {
		search_anew(session, false);
	} else if (session->table.log && session->list->is_list)
		open_one(session, NULL);
	else
		session->quit = key == 'q';
}

static void
sort_by(struct source_table *table, enum measure by)
{
	table->by = by;
	top_rows_sort(&table->rows, by, table->reverse);
}

// Returns by how many lines the key moves: down if positive, 0 if the key does not move.
static int64_t
move_of(int key, int64_t page)
{
	switch (key) {
	case KEY_UP:
	case 'k':
		return -1;
	case KEY_DOWN:
	case 'j':
		return 1;
	case KEY_PAGE_UP:
		return -page;
	case KEY_PAGE_DOWN:
		return page;
	case KEY_HOME:
		return INT32_MIN;
	case KEY_END:
		return INT32_MAX;
	default:
		return 0;
	}
}

// Moves the cursor among the rows, or scrolls the text of the opened row.
static void
move(struct session *session, int key)
{
	int64_t lines = move_of(key, session->page);
	struct source_table *table = &session->table;

	if (session->detail.is_open)
		detail_move(&session->detail, lines);
	else if (key == KEY_HOME)
		cursor_first(table);
	else if (key == KEY_END)
		cursor_last(table, session->page);
	else if (lines != 0)
		cursor_move(table, lines, session->page);
}

static void
move_sideways(struct source_table *table, int key)
{
	size_t most = table->longest > table->room ? table->longest - table->room : 0;

	if (key == KEY_LEFT)
		table->shift -= table->shift < SHIFT ? table->shift : SHIFT;
	if (key == KEY_RIGHT && table->shift < most)
		table->shift = table->shift + SHIFT < most ? table->shift + SHIFT : most;
}

static void
take_key_of_list(struct session *session, int key)
{
	struct process_list *list = session->list;
	int64_t lines = move_of(key, session->page);

	if (lines != 0)
		process_list_move(list, lines);
	switch (key) {
	case KEY_ENTER:
		list->chosen = process_list_chosen(list);
		open_one(session, process_list_chosen(list));
		break;
	case '/':
		search_anew(session, true);
		break;
	case 'g':
	case 'l':
		list->by_live = key == 'l';
		break;
	case 'r':
		list->reverse = !list->reverse;
		break;
	}
}

static void
take_key_of_sources(struct session *session, int key)
{
	static const char letters[] = {
		[MEASURE_LIVE] = 'l', [MEASURE_BLOCKS] = 'b', [MEASURE_GROWTH] = 'g',
		[MEASURE_ALLOC] = 'a', [MEASURE_CHURN] = 'c', [MEASURE_ALLOCS] = 'n',
	};
	const char *letter = key > ' ' && key <= '~' ? memchr(letters, key, MEASURES) : NULL;
	struct source_table *table = &session->table;

	move(session, key);
	move_sideways(table, key);
	if (key == KEY_ENTER) {
		cursor_hold(table);
		detail_open(&session->detail, table);
		table->shift = 0;
	}
	if (session->detail.is_open)
		return;
	if (letter)
		sort_by(table, (enum measure)(letter - letters));
	switch (key) {
	case '/':
		search_anew(session, true);
		break;
	case '<':
		sort_by(table, (table->by + MEASURES - 1) % MEASURES);
		break;
	case '>':
		sort_by(table, (table->by + 1) % MEASURES);
		break;
	case 's':
		table->stacks = !table->stacks;
		table->line = 0;
		break;
	case 'r':
		table->reverse = !table->reverse;
		sort_by(table, table->by);
		break;
	}
}

static void
take_key(struct session *session, int key)
{
	if (key == KEY_CLOSED)
		session->quit = true;
	if (search_of(session)->is_typing) {
		if (search_type(search_of(session), key))
			search(session);
		return;
	}
	if (session->shows_keys) {
		session->shows_keys = key == KEY_NONE || key == KEY_REDRAW;
		return;
	}
	switch (key) {
	case 'q':
	case KEY_ESCAPE:
		go_back(session, key);
		break;
	case ' ':
		session->table.is_paused = !session->table.is_paused;
		break;
	case 'h':
	case '?':
		session->shows_keys = true;
		break;
	default:
		if (session->table.log)
			take_key_of_sources(session, key);
		else
			take_key_of_list(session, key);
	}
}

void
session_run(struct process_list *list, const struct source_table *table)
{
	struct session session = {.list = list, .table = *table};

	session.table.clip = &session.clip;
	session.table.has_keys = list->has_keys = true;
	process_list_take(list, true);
	if (!list->is_list)
		open_one(&session, list->logs[0]);
	screen_open();
	while (!session.quit) {
		look(&session);
		draw(&session);
		take_key(&session, screen_key(REFRESH_MS));
	}
	screen_close();
	detail_close(&session.detail);
	free(session.table.rows.rows);
	clip_free(&session.clip);
}
