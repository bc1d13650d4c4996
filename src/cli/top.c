// SPDX-License-Identifier: BSD-2-Clause
// pmem top: shows a log on a terminal while it is being written. It shows what holds memory now,
// and what each source has done since the snapshot before. For several logs, a table of processes
// comes first. If standard output is not a terminal, a table is printed for each snapshot.

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "base/system.h"
#include "base/memory.h"
#include "find/find.h"
#include "base/options.h"
#include "top/process_list.h"
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
	"Shows what each source holds and does, as the log is written. The stacks of one\n"
	"line are one source, as in pmem leaks.\n"
	"  pmem top .                          processes with a log here; Enter opens one\n"
	"  pmem top --by growth pmem.*.log     what grows fastest is on top\n"
	"  pmem top --once pmem.*.log          the last tables alone; no terminal needed\n"
	"\n"
	"  live, blocks     bytes allocated and not yet freed; allocations that hold them\n"
	"  growth/s         change of live a second, since the snapshot before\n"
	"  alloc/s          bytes allocated a second; allocs/s: calls\n"
	"  churn/s          bytes allocated and freed a second\n"
	"  thread           the thread that allocated more than half, and its percentage\n"
	"  {rest}           the sum of all that the log does not tell source by source\n"
	"  growth/h         of a process: change of live an hour, without its start\n"
	"  heard            time since the process wrote its last snapshot\n"
	"\n"
	"  Enter, q         Enter opens a process, a source, a stack; q goes back or ends\n"
	"  l b g a c n      sort by live, blocks, growth, alloc, churn, allocs\n"
	"  r / s blank h    reverse; search; stacks; stand still; all keys\n"
	"\n"
	"  -b, --by COLUMN      sort by live, blocks, growth, alloc, churn or allocs\n"
	"  -r, --reverse        smallest first\n"
	"  -s, --stacks         print each source's stack with most live bytes, too\n"
	"  -1, --once           print the last snapshot's table, and end\n"
	"  -n, --number N       print N sources (20); a terminal has as many as fit\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"More: src/cli/top/SCREEN.md (keys, rates, how the log of a PID is found).\n"
	"Exit status: 1 if a log is damaged or not readable, 2 for a wrong command line.\n";

static struct {
	struct process_list list;
	struct source_table table;
	struct clip clip;
} top;

static void
print(void)
{
	clip_end_line(&top.clip);
	fwrite(top.clip.lines.at, 1, top.clip.lines.count, stdout);
	fflush(stdout);
}

static void
print_sources(struct process_log *log)
{
	process_log_look(log);
	top.table.log = log;
	source_table_look(&top.table, clock_ms(CLOCK_REALTIME));
	source_table_make(&top.table);
	clip_begin(&top.clip, term_width());
	source_table_head(&top.table, "");
	source_table_rows(&top.table, options.rows);
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

// Prints the state of the logs as they are now.
static void
print_once(void)
{
	bool any = process_list_take(&top.list, true);

	if (top.list.is_list)
		print_processes();
	else if (any)
		print_sources(top.list.logs[0]);
}

// Used if output is no terminal. Prints a table for each snapshot, until the process has ended, or
// for standard input until its end.
static void
follow_sources(struct process_log *log, bool is_input)
{
	if (!is_input)
		print_once();
	top.table.is_as_of_then = true;
	while (!ferror(stdout)) {
		// First we check whether the process has ended, and then read the log. If the process has
		// ended by the check, the log is complete when it is read. So no snapshot is missed.
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

// Opens the logs. If the only log was named by a pid, the process with this pid is taken for the
// log's process. So the process is known even if the log has its pid in another pid namespace.
static void
open_logs(char **operands)
{
	struct process_list *list = &top.list;
	struct proc process;
	bool is_pid = operands[0] && !operands[1] && find_runs(operands[0]);

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
	top.table = (struct source_table){.clip = &top.clip, .by = (enum measure)options.by,
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
