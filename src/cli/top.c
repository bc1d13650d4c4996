// pmem top: a log as it is written, in a terminal: what holds memory now and what each
// source has done since the snapshot before. Without a terminal, a table a snapshot.

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/system.h"
#include "base/memory.h"
#include "find/find.h"
#include "log/follow.h"
#include "base/options.h"
#include "top/top.h"
#include "symbols/symbols.h"
#include "base/term.h"

enum {
	REFRESH_MS = 1000, // how often we look whether there is a new snapshot
	ROWS = 20,
	HEAD_LINES = 4, // as view_head() makes them
};

static struct {
	int by;
	bool reverse, stacks, once;
	uint64_t rows;
} options = {.by = MEASURE_LIVE, .rows = ROWS};

static const struct option top_options[] = {
	{"by", 'b', OPTION_WORD, &options.by, measure_names},
	{"reverse", 'r', OPTION_FLAG, &options.reverse, NULL},
	{"stacks", 's', OPTION_FLAG, &options.stacks, NULL},
	{"once", '1', OPTION_FLAG, &options.once, NULL},
	{"number", 'n', OPTION_NUMBER, &options.rows, NULL},
	{0},
};

const struct option *const top_tables[] = {top_options, symbols_options, term_options, NULL};

const char top_help[] =
	"usage: pmem top [OPTION...] LOG|PID\n"
	"\n"
	"Shows what holds memory, as the log is written: after each snapshot, what each source\n"
	"holds, and what it has done a second since the snapshot before. A PID is a process that\n"
	"runs under the logger; its log is looked for where it is, where it was started (PWD in\n"
	"its environment), where its parent is, and in the fallback directory of config.h. A file\n"
	"whose name is a number is ./NUMBER.\n"
	"\n"
	"Where standard output is no terminal, each snapshot is a table; it ends when the process\n"
	"has ended, or the log is standard input (-) and ends.\n"
	"\n"
	"  -b, --by COLUMN  sorted by live, blocks, growth, alloc, churn or allocs\n"
	"  -r, --reverse    smallest first\n"
	"  -s, --stacks     with each source's stack\n"
	"  -1, --once       the last snapshot's table, and nothing else; no terminal needed\n"
	"  -n, --number N   sources of a table: 20; on a terminal as many as there is room for\n"
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"  live, blocks     bytes allocated and not freed, and how many allocations hold them\n"
	"  growth/s         of live, since the snapshot before: what was allocated less what was\n"
	"                   freed\n"
	"  alloc/s, allocs/s\n"
	"                   bytes allocated, and calls\n"
	"  churn/s          bytes allocated and bytes freed, together\n"
	"  thread           which has allocated more than half of it, and how much of it; not on a\n"
	"                   narrow terminal\n"
	"  {rest}           all that the log does not tell one by one; with it, columns add up\n"
	"\n"
	"Where it is not known when the snapshot before was written, as behind one that is\n"
	"missing, these are per snapshot.\n"
	"\n"
	"Keys: l live, b blocks, g growth, a alloc, c churn, n allocs: sort by it; < and >:\n"
	"by the one before or after it; r: the other way round; s: stacks; blank: stand still, and\n"
	"go on; arrows, Page Up, Page Down, Home, End: move; h: these keys; q: quit.\n";

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
	"  q             quit\n"
	"\n"
	"  any key goes back\n";

// What is shown, and whose it is.
struct top {
	struct follow *follow;
	struct proc process; // by the PID that was given
	bool has_process;
	struct top_rows rows;
	struct view view;
	struct clip clip;
	bool shows_keys;
	bool quit;
	unsigned page; // lines of the table, without its headings
};

static bool
is_pid(const char *operand)
{
	return *operand && operand[strspn(operand, "0123456789")] == '\0';
}

static char *
path_of(struct top *top, const char *operand)
{
	uint64_t pid;
	if (!is_pid(operand))
		return memory_text(operand, strlen(operand));
	if (!unit_parse_number(&pid, operand) || pid > INT32_MAX
		|| !process_read(&top->process, (long)pid))
		die(EXIT_DATA, "%s: no such process; a file of that name is ./%s", operand, operand);
	top->has_process = true;
	return find_log(&top->process);
}

// Whether the process is still there, and what time it is.
static void
look_at_process(struct top *top)
{
	const struct run *run = follow_last(top->follow)->run;
	struct proc process;
	bool known = false;
	bool is_there = false;

	if (top->has_process) {
		known = true;
		is_there = process_is_there(&top->process);
	} else if (run) {
		is_there = process_of_run(&process, run, &known);
	}
	top->view.is_alive = known && is_there;
	top->view.is_gone = (known && !is_there) || (run && run->ended);
	top->view.now_ms = clock_ms(CLOCK_REALTIME);
}

static void
sort(struct top *top)
{
	top_rows_sort(&top->rows, top->view.by, top->view.reverse);
}

static void
take_snapshots(struct top *top, bool progress)
{
	bool any = false;

	while (follow_next(top->follow)) {
		uint64_t of;
		uint64_t done = follow_bytes(top->follow, &of);
		if (progress)
			term_progress("reading", done, of);
		any = true;
	}
	if (progress)
		term_progress(NULL, 0, 0);
	if (!any)
		return;
	top_rows_make(&top->rows, follow_last(top->follow));
	sort(top);
}

static void
print_table(struct top *top)
{
	look_at_process(top);
	clip_begin(&top->clip, term_width());
	view_head(&top->view, top->follow, "", &top->clip);
	view_rows(&top->view, top->follow, &top->rows, options.rows, &top->clip);
	clip_end_line(&top->clip);
	fwrite(top->clip.bytes, 1, top->clip.count, stdout);
	fflush(stdout);
}

static void
print_snapshot(struct top *top)
{
	top_rows_make(&top->rows, follow_last(top->follow));
	sort(top);
	print_table(top);
}

// Nobody types, and nobody looks: until there is nothing more to come.
static void
print_tables(struct top *top, bool is_input)
{
	if (!is_input) {
		take_snapshots(top, true);
		if (follow_last(top->follow)->run)
			print_table(top);
	}
	while (!ferror(stdout)) {
		// Asked before the last look at the log: it may have written until then.
		look_at_process(top);
		bool is_over = is_input || top->view.is_gone;
		while (follow_next(top->follow))
			print_snapshot(top);
		if (is_over)
			break;
		poll(NULL, 0, REFRESH_MS);
	}
}

static void
draw(struct top *top)
{
	struct clip *clip = &top->clip;
	unsigned columns;
	unsigned rows;

	screen_size(&columns, &rows);
	clip_begin(clip, columns);
	top->page = rows > HEAD_LINES + 1 ? rows - HEAD_LINES - 1 : 1;
	if (top->shows_keys) {
		for (const char *line = keys_help; *line; line += strcspn(line, "\n") + 1) {
			clip_format(clip, "%.*s", (int)strcspn(line, "\n"), line);
			clip_end_line(clip);
		}
	} else {
		view_head(&top->view, top->follow, screen_said(), clip);
		view_table(&top->view, top->follow, &top->rows, top->page + 1, clip);
	}
	screen_show(clip->bytes, clip->count);
}

static void
sort_by(struct top *top, enum measure by)
{
	top->view.by = by;
	top->view.row = 0;
	top->view.line = 0;
	sort(top);
}

static void
move(struct top *top, int key)
{
	int64_t page = top->page;

	if (key == KEY_UP || key == 'k')
		view_scroll(&top->view, &top->rows, -1);
	if (key == KEY_DOWN || key == 'j')
		view_scroll(&top->view, &top->rows, 1);
	if (key == KEY_PAGE_UP)
		view_scroll(&top->view, &top->rows, -page);
	if (key == KEY_PAGE_DOWN)
		view_scroll(&top->view, &top->rows, page);
	if (key == KEY_HOME)
		top->view.row = top->view.line = 0;
	if (key == KEY_END)
		view_scroll_to_end(&top->view, &top->rows, top->page + 1);
}

static void
take_key(struct top *top, int key)
{
	static const char letters[] = {
		[MEASURE_LIVE] = 'l', [MEASURE_BLOCKS] = 'b', [MEASURE_GROWTH] = 'g',
		[MEASURE_ALLOC] = 'a', [MEASURE_CHURN] = 'c', [MEASURE_ALLOCS] = 'n',
	};
	const char *letter = key > ' ' && key <= '~' ? memchr(letters, key, MEASURES) : NULL;
	enum measure by = top->view.by;

	if (top->shows_keys) {
		top->shows_keys = key == KEY_NONE || key == KEY_REDRAW;
		top->quit = key == KEY_CLOSED;
		return;
	}
	if (letter)
		sort_by(top, (enum measure)(letter - letters));
	move(top, key);
	switch (key) {
	case 'q':
	case KEY_CLOSED:
		top->quit = true;
		break;
	case '<':
	case KEY_LEFT:
		sort_by(top, (by + MEASURES - 1) % MEASURES);
		break;
	case '>':
	case KEY_RIGHT:
		sort_by(top, (by + 1) % MEASURES);
		break;
	case ' ':
		top->view.is_paused = !top->view.is_paused;
		break;
	case 's':
		top->view.stacks = !top->view.stacks;
		top->view.line = 0;
		break;
	case 'r':
		top->view.reverse = !top->view.reverse;
		sort_by(top, by);
		break;
	case 'h':
	case '?':
		top->shows_keys = true;
		break;
	}
}

static void
show(struct top *top)
{
	take_snapshots(top, true);
	top->view.has_keys = true;
	screen_open();
	while (!top->quit) {
		if (!top->view.is_paused)
			take_snapshots(top, false);
		look_at_process(top);
		// There may be fewer rows by now.
		view_scroll(&top->view, &top->rows, 0);
		draw(top);
		take_key(top, screen_key(REFRESH_MS));
	}
	screen_close();
}

int
top_main(int argc, char **argv)
{
	struct top top = {0};
	char **operands = options_parse(argc, argv, top_tables);

	if (!operands[0])
		options_refuse("top", "no LOG or PID given");
	if (operands[1])
		options_refuse("top", "%s: one log at a time", operands[1]);
	char *path = path_of(&top, operands[0]);
	if (!path)
		return EXIT_DATA;
	top.follow = follow_open(path);
	if (!top.follow)
		return EXIT_DATA;
	top.view = (struct view){.by = (enum measure)options.by, .reverse = options.reverse,
		.stacks = options.stacks};
	bool is_input = strcmp(path, "-") == 0;
	free(path);
	if (options.once) {
		take_snapshots(&top, true);
		if (follow_last(top.follow)->run)
			print_table(&top);
	} else if (!is_input && screen_is_possible()) {
		show(&top);
	} else {
		print_tables(&top, is_input);
	}
	int status = follow_finish(top.follow) ? 0 : EXIT_DATA;
	follow_close(top.follow);
	free(top.rows.rows);
	free(top.clip.bytes);
	return status;
}
