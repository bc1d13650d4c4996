// SPDX-License-Identifier: BSD-2-Clause
// pmem top: a log as it is written, in a terminal: what holds memory now and what each
// source has done since the snapshot before. Of several logs, first a line for each process.
// Without a terminal, a table a snapshot.

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/system.h"
#include "base/memory.h"
#include "find/find.h"
#include "base/options.h"
#include "top/process_list.h"
#include "top/rows.h"
#include "top/screen.h"
#include "top/session.h"
#include "top/source_table.h"
#include "symbols/symbols.h"
#include "rows/wrapper.h"
#include "base/term.h"

enum {
	ROWS = 20,
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

const struct option *const top_tables[] = {
	top_options, wrapper_options, symbols_options, term_options, NULL,
};

const char top_help[] =
	"usage: pmem top [OPTION...] LOG|PID...\n"
	"\n"
	"Shows what holds memory, as the log is written: after each snapshot, what each source\n"
	"holds, and what it has done a second since the snapshot before. A PID is a process that\n"
	"runs under the logger; its log is looked for where it is, where it was started (PWD in\n"
	"its environment), where its parent is, and in the fallback directory of config.h. A file\n"
	"of that name comes first.\n"
	"\n"
	"Of several logs, or a folder of them, first a table of the processes, those that grow\n"
	"most on top; a log that appears in the folder meanwhile is added. Enter opens one.\n"
	"\n"
	"Where standard output is no terminal, each snapshot is a table; it ends when the process\n"
	"has ended, or the log is standard input (-) and ends.\n"
	"\n"
	"  -b, --by COLUMN  sorted by live, blocks, growth, alloc, churn or allocs\n"
	"  -r, --reverse    smallest first\n"
	"  -s, --stacks     with each source's stack\n"
	"  -1, --once       the last snapshot's table, and nothing else; no terminal needed\n"
	"  -n, --number N   sources of a table: 20; on a terminal as many as there is room for\n"
	WRAPPER_HELP
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
	"  growth/h         of a process: of live an hour, by the last hour of its log, or all of it\n"
	"                   where that is less\n"
	"  heard            how long ago it wrote its last snapshot\n"
	"\n"
	"Where it is not known when the snapshot before was written, as behind one that is\n"
	"missing, these are per snapshot. Of a process that runs and has written nothing for\n"
	"longer than between its last two snapshots, they are over all the time since the former,\n"
	"and 0 after a minute and eight times as long.\n"
	"\n"
	"Keys in the table of processes: up, down, Page Up, Page Down, Home, End: choose; Enter:\n"
	"open it, and q or Escape goes back; g growth, l live: sort by it; r: the other way\n"
	"round. Keys in the table of sources: the same choose one, which stays chosen wherever it\n"
	"comes to stand, but for Home; Enter: all of it: what it has held from the log's beginning\n"
	"on, its whole stack, and the threads, and q or Escape goes back; /: search: of the\n"
	"sources those remain that have the text in the name of a function, module or thread, or\n"
	"in the id, where small letters stand for capital ones, too; Enter keeps them, Escape\n"
	"brings all back; left, right: move the texts sideways; l live, b blocks, g growth, a\n"
	"alloc, c churn, n allocs: sort by it; < and >: by the one before or after it; r: the\n"
	"other way round; s: stacks; blank: stand still, and go on; h: these keys; q: quit.\n";

static struct {
	struct process_list list;
	struct top_rows rows;
	struct source_table table;
	struct clip clip;
} top;

static void
print(void)
{
	clip_end_line(&top.clip);
	fwrite(top.clip.bytes, 1, top.clip.count, stdout);
	fflush(stdout);
}

static void
print_sources(struct process_log *log)
{
	process_log_look(log);
	source_table_look(&top.table, log, clock_ms(CLOCK_REALTIME));
	top_rows_make(&top.rows, follow_last(log->follow));
	top_rows_sort(&top.rows, top.table.by, top.table.reverse);
	clip_begin(&top.clip, term_width());
	source_table_head(&top.table, log->follow, &top.rows, "", &top.clip);
	source_table_rows(&top.table, log->follow, &top.rows, options.rows, &top.clip);
	print();
}

static void
print_processes(void)
{
	process_list_look(&top.list, clock_ms(CLOCK_REALTIME));
	clip_begin(&top.clip, term_width());
	process_list_draw(&top.list, "", SIZE_MAX, &top.clip);
	print();
}

// What is there by now.
static void
print_once(void)
{
	bool any = process_list_take(&top.list, true);

	if (top.list.is_list)
		print_processes();
	else if (any)
		print_sources(top.list.logs[0]);
}

// Nobody types, and nobody looks: until there is nothing more to come.
static void
follow_sources(struct process_log *log, bool is_input)
{
	if (!is_input)
		print_once();
	top.table.is_as_of_then = true;
	while (!ferror(stdout)) {
		// Asked before the last look at the log: it may have written until then.
		process_log_look(log);
		bool is_over = is_input || log->is_gone;
		while (follow_next(log->follow))
			print_sources(log);
		if (is_over)
			break;
		poll(NULL, 0, REFRESH_MS);
	}
}

static void
follow_processes(void)
{
	print_once();
	while (!ferror(stdout)) {
		process_list_look(&top.list, clock_ms(CLOCK_REALTIME));
		bool is_over = process_list_is_gone(&top.list);
		if (process_list_take(&top.list, false))
			print_processes();
		if (is_over)
			break;
		poll(NULL, 0, REFRESH_MS);
	}
}

// Of one process its pid is known, also where its log is of another namespace.
static void
open_logs(char **operands)
{
	struct process_list *list = &top.list;
	struct proc process;
	bool is_pid = operands[0] && !operands[1] && find_is_pid(operands[0]);

	if (is_pid)
		operands[0] = find_log_of_pid(operands[0], &process);
	process_list_open(list, find_logs_of_pids(operands));
	if (is_pid && list->count == 1) {
		list->logs[0]->process = process;
		list->logs[0]->has_process = true;
	}
}

int
top_main(int argc, char **argv)
{
	char **operands = options_parse(argc, argv, top_tables);

	if (!operands[0])
		options_refuse("top", "no LOG or PID given");
	wrapper_compile("top");
	open_logs(operands);
	if (top.list.count == 0)
		return EXIT_DATA;
	top.table = (struct source_table){.by = (enum measure)options.by,
		.reverse = options.reverse, .stacks = options.stacks};
	struct process_log *first = top.list.logs[0];
	bool is_input = !top.list.is_list && strcmp(first->path, "-") == 0;
	if (options.once)
		print_once();
	else if (!is_input && screen_is_possible())
		session_run(&top.list, &top.table);
	else if (top.list.is_list)
		follow_processes();
	else
		follow_sources(first, is_input);
	return process_list_finish(&top.list) ? 0 : EXIT_DATA;
}
