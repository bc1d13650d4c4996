// SPDX-License-Identifier: BSD-2-Clause
// pmem leaks: which sources leak. Reads a log once, keeps a history of each of its processes,
// and prints what trend/ finds in it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "cli.h"
#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/term.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "symbols/symbols.h"
#include "rows/grouping.h"
#include "rows/match.h"
#include "rows/wrapper.h"
#include "print/leaks.h"
#include "print/wrap.h"
#include "find/find.h"
#include "service/baseline.h"
#include "service/impossible.h"
#include "service/process_result.h"
#include "service/service.h"

enum { ROWS = 20 };

// What a line is of: --by.
static const char *const by_names[] = {"source", "process", NULL};

static struct {
	int by; // in by_names
	bool by_name;
	struct option_list exe;      // patterns of programs; empty: all
	struct option_list baseline; // logs of the release before
	uint64_t count; // -n; 0: all
	uint64_t min;
	int64_t min_time; // ms
	uint64_t min_rate; // bytes an hour
	double min_share; // percent
	uint64_t fail_on, fail_on_all; // UINT64_MAX: not given
	bool lost; // what is freed as a process ends does not count for these
	struct moment from, to;
	struct stack_match match;
	bool stacks, all;
} options = {
	.count = ROWS,
	.min = LEAKS_LEAST,
	.min_time = LEAKS_MIN_TIME,
	.min_rate = LEAKS_MIN_RATE,
	.min_share = LEAKS_MIN_SHARE,
	.fail_on = UINT64_MAX, .fail_on_all = UINT64_MAX,
	.from = {.kind = MOMENT_FIRST},
	.to = {.kind = MOMENT_LAST},
};

static const struct option leaks_options[] = {
	{"all", 'a', OPTION_FLAG, &options.all, NULL},
	{"by", 'b', OPTION_WORD, &options.by, by_names},
	{"by-name", 0, OPTION_FLAG, &options.by_name, NULL},
	{"exe", 0, OPTION_LIST, &options.exe, NULL},
	{"number", 'n', OPTION_NUMBER, &options.count, NULL},
	{"min", 0, OPTION_BYTES, &options.min, NULL},
	{"min-time", 0, OPTION_DURATION, &options.min_time, NULL},
	{"min-rate", 0, OPTION_BYTES, &options.min_rate, NULL},
	{"min-share", 0, OPTION_PERCENT, &options.min_share, NULL},
	{"from", 0, OPTION_MOMENT, &options.from, NULL},
	{"to", 0, OPTION_MOMENT, &options.to, NULL},
	MATCH_OPTIONS(options.match),
	{"stacks", 0, OPTION_FLAG, &options.stacks, NULL},
	{"baseline", 0, OPTION_LIST, &options.baseline, NULL},
	{"fail-on", 0, OPTION_BYTES, &options.fail_on, NULL},
	{"fail-on-all", 0, OPTION_BYTES, &options.fail_on_all, NULL},
	{"fail-on-lost", 0, OPTION_FLAG, &options.lost, NULL},
	{0},
};

const struct option *const leaks_tables[] = {
	leaks_options, wrapper_options, symbols_options, term_options, NULL,
};

const char leaks_help[] =
	"usage: pmem leaks [OPTION...] LOG...\n"
	"       pmem leaks [OPTION...] --exe NAME [LOG...]\n"
	"\n"
	"What leaks: the sources (distinct call stacks that allocate) whose live memory grows,\n"
	"since when, and how fast. LOG is a file, a folder of them, the pid of a process that\n"
	"runs (see pmem help top), or - for standard input. Each process is judged by itself; of\n"
	"several those that leak come first, the fastest first, above them what they leak in all,\n"
	"and behind them, in a line, those of which there is nothing to say.\n"
	"\n"
	"  -a, --all        say of sources that do not leak what they do, and of all processes\n"
	"  -b, --by WHAT    what a line is: source (default), or process: its leaks (\"outside\" or\n"
	"                   \"files\": other memory grows; \"hidden\": the log does not show what\n"
	"                   grows; \"unwritten\": it cannot be written; \"impossible\": more is live\n"
	"                   than is in memory; \"unseen\": what grows may be freed past the library),\n"
	"                   and how live has grown, fastest first\n"
	"      --by-name    take sources as one when their functions have the same names. Where a\n"
	"                   function has no name, its module's counts; of lines of Ruby, Python\n"
	"                   and Java file and number, too\n"
	"      --exe NAME   only of programs of that name, its file's or what it calls itself, or\n"
	"                   path; * stands for anything; repeated: any of them. Without a LOG:\n"
	"                   in this folder and where logs go that cannot be written elsewhere\n"
	"  -n, --number N   so many sources, 20 by default; 0: all\n"
	"      --min SIZE   growth below that is none, 1K by default\n"
	"      --min-time DURATION\n"
	"                   what grows for less is no leak yet, 1m by default; 0: it is\n"
	"      --min-rate SIZE\n"
	"                   what leaks less an hour is folded, 1K by default\n"
	"      --min-share PERCENT\n"
	"                   so is what has kept less of the blocks that it allocated, and grown\n"
	"                   by less of the most that the process held, 0.1 by default; and by ten\n"
	"                   times that, where a buffer gave way to a larger one a few times\n"
	"      --from WHEN  judge the time from this moment on: a snapshot's number, or a time\n"
	"                   (02:55, -5h, see below). Logs of several without any are left out\n"
	"      --to WHEN    up to and with this one\n"
	MATCH_HELP
	"      --stacks     each source's id and whole stack below it\n"
	"      --fail-on SIZE\n"
	"                   exit with status 3 when the sources of a process that leak do so by\n"
	"                   SIZE an hour or more, all together; 0: when any does. Those that are\n"
	"                   starting, brief, grew or are folded do not count\n"
	"      --fail-on-all SIZE\n"
	"                   the same of all processes together\n"
	"      --fail-on-lost\n"
	"                   by what was lost alone, not what is \"held\" (see below)\n"
	"      --baseline LOG\n"
	"                   of the release before, under such a load; repeated: of any of its\n"
	"                   processes. A source that leaks no more than then, by a tenth, for as\n"
	"                   many bytes allocated and freed, is told as such and does not count;\n"
	"                   --fail-on 0 is meant. Sources are one by name, lines of Ruby, Python\n"
	"                   and Java by file and function: their numbers move. Where LOG is of\n"
	"                   another program, by its file's name, a warning says so\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	MOMENT_HELP
	"\n"
	"A source leaks, steadily or in steps, when its floor rises: the least that it holds in\n"
	"each of up to 128 parts of the time. It does not when its floor settles (a cache that\n"
	"fills), slows down (grows, ever slower), is a saw-tooth, goes up and down otherwise,\n"
	"follows the load, falls back in the end, or grows at start-up only. What a day brings\n"
	"and takes is left out where it shows at least two days. What a program frees as it ends\n"
	"is left out where that is half of what is live; less falls back, and --to leaves it out.\n"
	"sure: how seldom chance makes such a rise; between: the rate, with 95% certainty;\n"
	"growth: bytes since it began; share: of the process's growth since the first leak began;\n"
	"blocks: growth in blocks; kept: how many of the blocks allocated since then were not\n"
	"freed, \"larger\" where old ones grow. A store or a cache keeps most of them, too, while\n"
	"it fills, and no log tells that from a leak before it is full. Not judged are sources\n"
	"that the log shows seldom, those that grow for too short a time, and those whose blocks\n"
	"may be freed past the library (RTLD_DEEPBIND, __libc_free()). The parts are of equal\n"
	"work, bytes allocated and freed: idling counts in rates alone, up to the exit, or to now\n"
	"while it runs. What clearly grows with the clock, whatever the work, leaks, too.\n"
	"\n"
	"By the clock it may be none, or not yet one. \"starting\": it was not seen to go on for as\n"
	"long again after the process had started, when it had nine tenths of its sources, or,\n"
	"where most of what grows is no leak, three quarters of that, and in any case after ten\n"
	"minutes. \"brief\": it was seen to grow for less than --min-time, without the longest time\n"
	"between two looks; or for less than ten minutes, after a time without, and all of it may\n"
	"be recent; or in so few of the parts (seven, or ten of a hundred) that its rises may be\n"
	"records, as a pool has, and not evenly; or for less than an hour, as garbage: in Ruby,\n"
	"Python, JavaScript or what Lua calls, where it freed more than half of its blocks, or\n"
	"grew by less than --min-share of the process; of Lua itself, while it is at most half of\n"
	"all that is live; or it let go of a tenth at once, as of what expires, and grew for less\n"
	"since than before, or an hour. \"grew\", until a time: since then others worked as before,\n"
	"and it stood still; or it was brief, or others had never worked, and it stood still for\n"
	"longer. Where nobody works any more it leaks. \"or earlier\": it was not seen to begin.\n"
	"\n"
	"\"held\": it grew like a leak, but all of it, or nine tenths, was freed as the process ended,\n"
	"as the snapshot of the exit shows: nothing had lost it, as where a cache or a list grows.\n"
	"That fills memory, too, and counts for --fail-on; a release may ask with --fail-on-lost.\n"
	"\n"
	"\"new\", where nothing leaks: a quarter or more of all that is live has come in the last\n"
	"tenth of the time, and so much was never there before. Nobody knows yet whether it stays.\n"
	"\n"
	"The test is Mann and Kendall's (Mann 1945, Kendall 1975) with Hamed and Rao's correction\n"
	"for values that resemble those before (1998); where a floor hardly ever falls, a sign\n"
	"test (Cox and Stuart 1955). What slows down is told by the curve that fits best (Schwarz\n"
	"1978; Kass and Raftery 1995). The rate is Theil and Sen's (Sen 1968). Of the sources\n"
	"called leaks at most one in twenty is one by chance (Benjamini and Hochberg 1995). At\n"
	"least 8 snapshots are needed, before the exit. In a sampled log a rise must also be more\n"
	"than sampling makes in one of 200 cases, and the rate's interval counts that in. Growth\n"
	"outside malloc is told, and does not count for --fail-on. In a log without times the rate\n"
	"is bytes a snapshot.\n"
	"\n"
	"The exit status is 1 when a log cannot be read or is damaged, or none has the time, 2 for\n"
	"a wrong command line, 3 for --fail-on.\n";

static struct {
	struct grouping places; // of sources, --by-name
	bool is_search; // no log was named
	size_t seen, meant; // processes of any program, and of --exe
} state;

// With the names that the log's frames have by now, as the next one.
static bool
is_wanted(const struct source *source)
{
	struct row row = row_of_source(source);
	return match_row(&options.match, &row);
}

static size_t
place_of(const struct source *source)
{
	struct row row = row_of_source(source);
	return grouping_number(&state.places, &row, NULL);
}

static void
make_findings(struct findings *findings, struct process_result *result, const char *path,
	bool is_baseline)
{
	bool all = match_is_empty(&options.match);
	struct leaks_asked asked = {
		.least = (double)options.min,
		.min_time = (double)options.min_time,
		.min_rate = (double)options.min_rate,
		.min_share = options.min_share,
		.wanted = all ? NULL : is_wanted,
		.place_of = options.by_name ? place_of : NULL,
		.before = options.baseline.count > 0 && !is_baseline ? baseline_of : NULL,
	};

	if (!all || options.by_name)
		symbols_resolve(result->run->frames, result->run->frame_count);
	process_result_look(result, path);
	findings_make(findings, result->history, &asked);
	findings->is_cut_short = result->unwritten != NULL;
	if (result->last == result->run->last_number)
		impossible_look(findings, result->run,
			history_gauge_last(result->history, GAUGE_RSS), result->memory);
}

static bool
is_too_much(const struct findings *findings, const struct history *history)
{
	struct history_span span = history_span(history);
	const struct leak_sum *leaks = &findings->leaks[STANDS];
	size_t count = leaks->count - (options.lost ? leaks->held : 0);
	double slope = leaks->slope - (options.lost ? leaks->held_slope : 0);
	return options.fail_on != UINT64_MAX && count > 0
		&& history_rate(&span, slope) >= (double)options.fail_on;
}

static void
judge_run(struct process_result *result, struct log *log)
{
	struct leaks_style style = {
		.most = options.count ? options.count : SIZE_MAX,
		.stacks = options.stacks,
		.all = options.all,
		.min_time = (double)options.min_time,
		.fails = options.fail_on != UINT64_MAX || options.fail_on_all != UINT64_MAX,
		.fails_on_lost = options.lost,
		.has_baseline = options.baseline.count > 0,
		.path = glyph_clean(memory_text(log_path(log), strlen(log_path(log)))),
	};
	struct findings findings;

	wrapper_learn(result->run);
	baseline_meet(result->run);
	make_findings(&findings, result, log_path(log), false);
	service_begin();
	process_result_print_heading(result, log);
	leaks_print(&findings, result->history, &style);
	service_end(result->run, &findings, result->history,
		is_too_much(&findings, result->history));
	findings_free(&findings);
}

static void
take_baseline(struct process_result *result, struct log *log)
{
	struct findings findings;

	make_findings(&findings, result, log_path(log), true);
	baseline_add(&findings, result->history);
	findings_free(&findings);
}

// False: it cannot be read, or not all of it.
static bool
judge_log(const char *path, void (*take)(struct process_result *result, struct log *log))
{
	struct log *log = log_open(path);
	if (!log)
		return false;
	size_t count;
	struct process_result *runs = process_result_read(log, &count);
	const struct run *last = log_last_run(log);
	// Nobody named it, and nobody knows yet whose it is.
	bool is_good = (!last && state.is_search) || log_finish(log);
	if (count == 0 && last && process_result_is_named(last, &options.exe))
		is_good = process_result_leave_out(log) && is_good;
	for (size_t i = 0; i < count; i++) {
		bool is_meant = process_result_is_named(runs[i].run, &options.exe);
		state.seen++;
		state.meant += is_meant;
		if (is_meant)
			take(&runs[i], log);
		history_close(runs[i].history);
	}
	free(runs);
	log_close(log);
	return is_good;
}

static void
check_moment(const char *option, const struct moment *moment)
{
	if (moment->kind == MOMENT_PEAK)
		options_refuse("leaks", "--%s: expected a snapshot's number or a time", option);
}

// False: one cannot be read, or not all of it.
static bool
judge_all(char **paths, void (*take)(struct process_result *result, struct log *log))
{
	bool is_good = true;

	state.seen = state.meant = 0;
	process_result_set_span(paths, &options.from, &options.to);
	for (; *paths; paths++)
		is_good = judge_log(*paths, take) && is_good;
	if (process_result_tell_left_out() && state.meant == 0) {
		is_good = false;
	} else if (state.seen > 0 && state.meant == 0) {
		warn("--exe: none of %zu process%s is of that program", state.seen,
			state.seen > 1 ? "es" : "");
		is_good = false;
	}
	return is_good;
}

static char **
paths_of(char **operands)
{
	if (*operands)
		return find_logs(operands);
	char **paths = duplicates_leave_out(input_usual_paths(), NULL);
	state.is_search = true;
	if (!*paths)
		die(EXIT_DATA, "no log in this folder, nor in " PMEM_LOG_FALLBACK_DIR);
	return paths;
}

// Only what leaks more than before is to fail, however little that is.
static bool
read_baseline(void)
{
	options.by_name = true;
	size_t count = options.baseline.count;
	char **logs = memory_get(count + 1, sizeof(*logs));
	for (size_t i = 0; i < count; i++)
		logs[i] = (char *)options.baseline.texts[i];
	logs[count] = NULL;
	bool is_good = judge_all(find_logs(logs), take_baseline);
	free(logs);
	return is_good;
}

int
leaks_main(int argc, char **argv)
{
	char **operands = options_parse(argc, argv, leaks_tables);

	if (!*operands && options.exe.count == 0)
		options_refuse("leaks", "no log given");
	check_moment("from", &options.from);
	check_moment("to", &options.to);
	match_compile(&options.match, "leaks");
	wrapper_compile("leaks");
	wrap_output();
	state.places.by_name = true;
	state.places.with_lines = options.baseline.count == 0;
	if ((options.lost || options.baseline.count > 0) && options.fail_on_all == UINT64_MAX
			&& options.fail_on == UINT64_MAX)
		options.fail_on = 0;
	bool is_good = options.baseline.count == 0 || read_baseline();
	// Beside nothing all would be new.
	if (options.baseline.count > 0 && state.meant == 0)
		return EXIT_DATA;
	service_open(&(struct service_style){.most = options.count ? options.count : UINT64_MAX,
		.all = options.all, .by_name = options.by_name, .by_process = options.by == 1,
		.min_time = (double)options.min_time, .is_release = options.baseline.count > 0});
	is_good = judge_all(paths_of(operands), judge_run) && is_good;
	double rate = service_rate(options.lost);
	bool fails = service_fails() || (rate > 0 && rate >= (double)options.fail_on_all);
	service_print();
	baseline_warn();
	if (fails)
		return EXIT_LEAK;
	return is_good ? 0 : EXIT_DATA;
}
