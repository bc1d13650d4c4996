// What a terminal shows while somebody looks and types: the table of processes, or the sources of
// one.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/system.h"
#include "top/session.h"

enum {
	HEAD_LINES = 4, // as view_head() makes them
};

static const char keys_help[] =
	"  l b g a c n   sort by live, blocks, growth, alloc, churn, allocs\n"
	"  < >           sort by the column before, after\n"
	"  r             the other way round\n"
	"  s             stacks on, off\n"
	"  blank         stand still; go on\n"
	"  up down       a line; also k, j\n"
	"  Page Up/Down  a screen\n"
	"  Home End      first, last\n"
	"  h ?           these keys\n"
	"  q             quit, or back to the processes; also Escape\n"
	"\n"
	"  any key goes back\n";

static const char many_keys_help[] =
	"  up down       choose a process; also k, j\n"
	"  Page Up/Down  a screen\n"
	"  Home End      first, last\n"
	"  Enter         its sources; q or Escape goes back\n"
	"  g l           sort by growth, live\n"
	"  r             the other way round\n"
	"  blank         stand still; go on\n"
	"  h ?           these keys\n"
	"  q             quit\n"
	"\n"
	"  any key goes back\n";

struct session {
	struct many *many;
	struct watched *open; // whose sources are shown; NULL: the table of processes
	struct top_rows rows;
	struct view view;
	struct clip clip;
	bool shows_keys;
	bool quit;
	unsigned page; // lines of the table, without its headings
};

static void
sort(struct session *session)
{
	top_rows_sort(&session->rows, session->view.by, session->view.reverse);
}

static void
make_rows(struct session *session)
{
	top_rows_make(&session->rows, follow_last(session->open->follow));
	sort(session);
}

// What has come meanwhile, and what time it is by now: not while all stands still.
static void
look(struct session *session)
{
	int64_t now_ms = session->view.is_paused ? session->view.now_ms : clock_ms(CLOCK_REALTIME);

	if (!session->open) {
		if (!session->view.is_paused)
			many_take(session->many, false);
		many_look(session->many, now_ms);
		session->view.now_ms = now_ms;
		return;
	}
	if (!session->view.is_paused && watched_take(session->open, false))
		make_rows(session);
	watched_look(session->open);
	view_look(&session->view, session->open, now_ms);
	// There may be fewer rows by now.
	view_scroll(&session->view, &session->rows, 0);
}

static void
add_keys(const char *keys, struct clip *clip)
{
	for (const char *line = keys; *line; line += strcspn(line, "\n") + 1) {
		clip_format(clip, "%.*s", (int)strcspn(line, "\n"), line);
		clip_end_line(clip);
	}
}

static void
draw(struct session *session)
{
	struct clip *clip = &session->clip;
	unsigned head = session->open ? HEAD_LINES + 1 : MANY_HEAD_LINES;
	unsigned columns;
	unsigned rows;

	screen_size(&columns, &rows);
	clip_begin(clip, columns);
	session->page = rows > head ? rows - head : 1;
	if (session->shows_keys) {
		add_keys(session->open ? keys_help : many_keys_help, clip);
	} else if (session->open) {
		view_head(&session->view, session->open->follow, screen_said(), clip);
		view_table(&session->view, session->open->follow, &session->rows, session->page + 1,
			clip);
	} else {
		many_table(session->many, session->view.is_paused ? "paused: blank goes on"
			: screen_said(), session->page, clip);
	}
	screen_show(clip->bytes, clip->count);
}

static void
open_one(struct session *session, struct watched *watched)
{
	session->open = watched;
	session->view.row = session->view.line = 0;
	if (watched)
		make_rows(session);
}

// Escape alone ends nothing.
static void
go_back(struct session *session, int key)
{
	if (session->open && session->many->is_list)
		open_one(session, NULL);
	else
		session->quit = key == 'q';
}

static void
sort_by(struct session *session, enum measure by)
{
	session->view.by = by;
	session->view.row = 0;
	session->view.line = 0;
	sort(session);
}

static void
move(struct session *session, int key)
{
	int64_t page = session->page;

	if (key == KEY_UP || key == 'k')
		view_scroll(&session->view, &session->rows, -1);
	if (key == KEY_DOWN || key == 'j')
		view_scroll(&session->view, &session->rows, 1);
	if (key == KEY_PAGE_UP)
		view_scroll(&session->view, &session->rows, -page);
	if (key == KEY_PAGE_DOWN)
		view_scroll(&session->view, &session->rows, page);
	if (key == KEY_HOME)
		session->view.row = session->view.line = 0;
	if (key == KEY_END)
		view_scroll_to_end(&session->view, &session->rows, session->page + 1);
}

// By how many processes a key moves.
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

static void
take_key_of_many(struct session *session, int key)
{
	struct many *many = session->many;
	int64_t lines = move_of(key, session->page);

	if (lines != 0)
		many_move(many, lines);
	switch (key) {
	case KEY_ENTER:
		many->chosen = many_chosen(many);
		open_one(session, many_chosen(many));
		break;
	case 'g':
	case 'l':
		many->by_live = key == 'l';
		break;
	case 'r':
		many->reverse = !many->reverse;
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
	struct view *view = &session->view;

	if (letter)
		sort_by(session, (enum measure)(letter - letters));
	move(session, key);
	switch (key) {
	case '<':
	case KEY_LEFT:
		sort_by(session, (view->by + MEASURES - 1) % MEASURES);
		break;
	case '>':
	case KEY_RIGHT:
		sort_by(session, (view->by + 1) % MEASURES);
		break;
	case 's':
		view->stacks = !view->stacks;
		view->line = 0;
		break;
	case 'r':
		view->reverse = !view->reverse;
		sort_by(session, view->by);
		break;
	}
}

static void
take_key(struct session *session, int key)
{
	if (key == KEY_CLOSED)
		session->quit = true;
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
		session->view.is_paused = !session->view.is_paused;
		break;
	case 'h':
	case '?':
		session->shows_keys = true;
		break;
	default:
		if (session->open)
			take_key_of_sources(session, key);
		else
			take_key_of_many(session, key);
	}
}

void
session_run(struct many *many, const struct view *view)
{
	struct session session = {.many = many, .view = *view};

	session.view.has_keys = many->has_keys = true;
	many_take(many, true);
	if (!many->is_list)
		open_one(&session, many->logs[0]);
	screen_open();
	while (!session.quit) {
		look(&session);
		draw(&session);
		take_key(&session, screen_key(REFRESH_MS));
	}
	screen_close();
	free(session.rows.rows);
	free(session.clip.bytes);
}
