// SPDX-License-Identifier: BSD-2-Clause
// pmem report: shows what holds memory at one moment of one log or several. Prints a table of
// sources or a call tree. Sources without a line of their own are summed up in one line. So lines
// add up to the totals.

#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "base/system.h"
#include "base/term.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "symbols/symbols.h"
#include "rows/match.h"
#include "rows/profile.h"
#include "rows/wrapper.h"
#include "print/heading.h"
#include "print/parts_table.h"
#include "print/rows_table.h"
#include "print/table.h"
#include "print/tree.h"
#include "print/wrap.h"
#include "find/find.h"
#include "render/rows_json.h"

enum {
	LINES_AROUND = 6, // lines around the table: titles, sums, and the shell's next prompt
	THRESHOLD = 1, // default of --threshold, in percent
	NOT_GIVEN = -1,
};

// Two more values of --by: with these, the table has threads or labels instead of sources.
enum { BY_THREAD = VALUES, BY_LABEL };
static const char *const by_names[] = {
	"live", "blocks", "alloc", "allocs", "free", "frees", "churn", "growth", "thread", "label",
	NULL,
};
_Static_assert(sizeof(by_names) / sizeof(by_names[0]) == VALUES + 3, "as value_names, and two");

static struct {
	struct rows_table table; // table.count is TABLE_LINES if -n was not given
	struct moment at, since;
	bool tree, inverted, json;
	double threshold;
} options = {
	.table = {.by = VALUE_LIVE, .count = TABLE_LINES},
	.at = {.kind = MOMENT_LAST},
	.since = {.kind = MOMENT_BEGIN},
	.threshold = NOT_GIVEN,
};

static const struct option report_options[] = {
	{"by", 'b', OPTION_WORD, &options.table.by, by_names},
	{"at", 'a', OPTION_MOMENT, &options.at, NULL},
	{"since", 's', OPTION_MOMENT, &options.since, NULL},
	{"number", 'n', OPTION_NUMBER, &options.table.count, NULL},
	{"min", 0, OPTION_BYTES, &options.table.min, NULL},
	MATCH_OPTIONS(options.table.match),
	{"stacks", 0, OPTION_FLAG, &options.table.stacks, NULL},
	{"json", 0, OPTION_FLAG, &options.json, NULL},
	{"tree", 't', OPTION_FLAG, &options.tree, NULL},
	{"inverted", 'i', OPTION_FLAG, &options.inverted, NULL},
	{"threshold", 0, OPTION_PERCENT, &options.threshold, NULL},
	{0},
};

const struct option *const report_tables[] = {
	report_options, wrapper_options, symbols_options, term_options, NULL,
};

const char report_help[] =
	"usage: pmem report [OPTION...] LOG...\n"
	"\n"
	"Shows which sources (lines that allocate) hold memory, largest first.\n"
	"  pmem report pmem.*.log              all processes with a log in this folder\n"
	"  pmem report --at peak pmem.*.log    when most memory was live\n"
	"  pmem report --tree pmem.*.log       a call tree, outermost function first\n"
	"\n"
	"  live, blocks     bytes allocated and not yet freed; allocations that hold them\n"
	"  share            percentage of all, for the column to its left\n"
	"  alloc, free      bytes since the process began; allocs, frees: calls\n"
	"  growth           live now less live at --since\n"
	"  churn            bytes allocated and freed since --since\n"
	"  error            standard error of live in a sampled log: all is estimated\n"
	"  ~                a number that the log does not tell for sure\n"
	"  {rest}           the sum of all that the log does not tell source by source\n"
	"\n"
	"  -b, --by WHAT        order by live (default), blocks, alloc, allocs, free,\n"
	"                       frees, churn, growth; or a table by thread or label\n"
	"  -a, --at WHEN        the moment shown (last)\n"
	"  -s, --since WHEN     growth and churn count from there (reset, else first)\n"
	"  -n, --number N       print N sources (20, or the terminal's rows); 0: all\n"
	"  --min SIZE           leave out what has less live, or less of --by's bytes\n"
	MATCH_HELP
	"  --stacks             a row for each call stack, with its id and all of it\n"
	"  --json               print the rows as JSON (src/FORMAT.md)\n"
	"  -t, --tree           the call tree from the outermost function inwards\n"
	"  -i, --inverted       the tree from the allocating function outwards\n"
	"  --threshold PERCENT  fold smaller branches of a tree (1)\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	MOMENT_HELP
	"More: src/cli/print/TABLES.md, times: src/cli/base/MOMENTS.md.\n"
	"Exit status: 1 if a log is damaged or not readable, 2 for a wrong command line.\n";

static void
check_options(char **paths)
{
	bool is_tree = options.tree || options.inverted;
	bool by_others = options.table.by >= BY_THREAD;

	if (!*paths)
		options_refuse("report", "no log given");
	if (options.at.kind == MOMENT_NONE)
		options_refuse("report", "--at start: nothing is known of before the first snapshot "
			"(--at first)");
	if (is_tree && options.table.count != TABLE_LINES)
		options_refuse("report", "-n: a tree is cut by --threshold or --min");
	if (is_tree && options.table.stacks)
		options_refuse("report", "--stacks: a tree has the stacks already");
	if (!is_tree && options.threshold >= 0)
		options_refuse("report", "--threshold: only for --tree and --inverted (--min)");
	if (is_tree && wrapper_is_asked() && !wrapper_shows_all())
		options_refuse("report", "--hide: only for a table (--match, --not)");
	if (by_others && (is_tree || options.table.stacks || options.table.min > 0
			|| !match_is_empty(&options.table.match)))
		options_refuse("report", "--by %s: a table of %ss has no sources for --tree, "
			"--inverted, --stacks, --min, --match, --not or --thread",
			by_names[options.table.by], by_names[options.table.by]);
	if (options.json && (is_tree || by_others))
		options_refuse("report", "--json: only for a table of sources");
	if (options.json)
		term_none();
	if (options.json && options.table.count == TABLE_LINES)
		options.table.count = 0;
	if (options.threshold < 0)
		options.threshold = THRESHOLD;
	match_compile(&options.table.match, "report");
	wrapper_compile("report");
}

static void
check_profile(const struct profile *profile)
{
	bool by_thread = options.table.by == BY_THREAD;

	if (profile->is_seeds && options.table.by < BY_THREAD && !value_is_bytes((enum value)options.table.by))
		die(EXIT_DATA, "report: --by %s: a log of the first pmem has bytes alone",
			value_names[options.table.by]);
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct profile_run *of = &profile->runs[i];
		if (by_thread && !of->run->tells_threads)
			die(EXIT_DATA, "report: --by thread: %s does not tell of threads: it was written by an "
				"older pmem", log_path(of->log));
		if (options.table.by == BY_LABEL && of->at_moment->more->labels.count == 0
			&& profile->run_count == 1)
			die(EXIT_DATA, "report: --by label: %s tells of no label: the program has said none by "
				"pmem_label() (src/pmem.h)", log_path(of->log));
		if (of->base.place > of->at.place)
			options_refuse("report", "--since: snapshot [%" PRIu64 "] of %s is later than [%"
				PRIu64 "], the moment that is shown", of->base.number, log_path(of->log),
				of->at.number);
	}
}

// Stores for how long the process has written no snapshot. Does nothing unless the shown snapshot
// is the log's last, and the process still runs.
static void
look_for_process(struct profile *profile)
{
	struct profile_run *of = &profile->runs[0];
	struct proc process;
	bool known;

	if (profile->run_count == 1 && !of->run->ended && of->at.number == of->last_number
		&& of->at.time_ms != 0
			&& written_now(&process, of->run, log_path(of->log), &known))
		of->silent_ms = clock_ms(CLOCK_REALTIME) - of->at.time_ms;
}

int
report_main(int argc, char **argv)
{
	static struct profile profile; // static, so that its memory is reachable until the process ends
	struct clip clip = {0};
	struct wrap wrap;
	bool bad = false;
	char **paths = input_paths(find_logs_of_pids(options_parse(argc, argv, report_tables)));

	paths = duplicates_leave_out(paths, NULL);
	check_options(paths);
	profile_load(&profile, paths, &options.at, &options.since, PROFILE_FROM_START | PROFILE_MAPPED,
		&bad);
	check_profile(&profile);
	look_for_process(&profile);
	for (size_t i = 0; i < profile.run_count; i++)
		wrapper_learn(profile.runs[i].run);
	if (!match_is_empty(&options.table.match))
		profile_resolve(&profile);
	if (options.json) {
		heading_notes(&clip, profile.runs, profile.run_count);
		rows_json_print(stdout, &options.table, &profile, profile.runs, profile.run_count,
			clip_take(&clip));
		return bad ? EXIT_DATA : 0;
	}
	FILE *to = wrap_begin(&wrap, stdout);
	heading_add(&clip, &profile);
	clip_end_line(&clip);
	options.table.around = clip_print(to, &clip) + LINES_AROUND;
	clip_free(&clip);
	if (options.table.by >= BY_THREAD)
		parts_table_print(to, &profile, options.table.by == BY_LABEL, options.table.count,
			options.table.around);
	else if (options.tree || options.inverted)
		tree_print(to, &options.table, &profile, options.inverted, options.threshold);
	else
		rows_table_print(to, &options.table, &profile);
	wrap_end(&wrap);
	return bad ? EXIT_DATA : 0;
}
