// pmem leaks: which sources leak. Reads a log once, keeps a history of each of its processes,
// and prints what trend/ finds in it.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/term.h"
#include "log/input.h"
#include "symbols/symbols.h"
#include "rows/match.h"
#include "print/print.h"
#include "find/find.h"

enum {
	ROWS = 20,
	LEAST_GROWTH = 1024,
};

static struct {
	uint64_t count; // -n; 0: all
	uint64_t min;
	int64_t min_time; // ms
	uint64_t min_rate; // bytes an hour
	double min_share; // percent
	uint64_t fail_on; // UINT64_MAX: not given
	struct moment from, to;
	struct stack_match match;
	bool stacks, all;
} options = {
	.count = ROWS,
	.min = LEAST_GROWTH,
	.min_time = 60 * 1000,
	.min_rate = 1024,
	.min_share = 0.1,
	.fail_on = UINT64_MAX,
	.from = {.kind = MOMENT_FIRST},
	.to = {.kind = MOMENT_LAST},
};

static const struct option leaks_options[] = {
	{"all", 'a', OPTION_FLAG, &options.all, NULL},
	{"number", 'n', OPTION_NUMBER, &options.count, NULL},
	{"min", 0, OPTION_BYTES, &options.min, NULL},
	{"min-time", 0, OPTION_DURATION, &options.min_time, NULL},
	{"min-rate", 0, OPTION_BYTES, &options.min_rate, NULL},
	{"min-share", 0, OPTION_PERCENT, &options.min_share, NULL},
	{"from", 0, OPTION_MOMENT, &options.from, NULL},
	{"to", 0, OPTION_MOMENT, &options.to, NULL},
	MATCH_OPTIONS(options.match),
	{"stacks", 0, OPTION_FLAG, &options.stacks, NULL},
	{"fail-on", 0, OPTION_BYTES, &options.fail_on, NULL},
	{0},
};

const struct option *const leaks_tables[] = {
	leaks_options, symbols_options, term_options, NULL,
};

const char leaks_help[] =
	"usage: pmem leaks [OPTION...] LOG...\n"
	"\n"
	"What leaks: the sources (distinct call stacks that allocate) whose live memory grows,\n"
	"since when, and how fast. LOG is a file, a folder of them, or - for standard input. Each\n"
	"process is judged by itself; of several those that leak come first, the fastest first,\n"
	"above them what they leak in all, and behind them, in a line, those of which there is\n"
	"nothing to say.\n"
	"\n"
	"  -a, --all        say of sources that do not leak what they do, and of all processes\n"
	"  -n, --number N   so many sources, 20 by default; 0: all\n"
	"      --min SIZE   growth below that is none, 1K by default\n"
	"      --min-time DURATION\n"
	"                   what grows for less is no leak yet, 1m by default; 0: it is\n"
	"      --min-rate SIZE\n"
	"                   what leaks less an hour is folded, 1K by default\n"
	"      --min-share PERCENT\n"
	"                   so is what has kept less of the blocks that it allocated, and grown\n"
	"                   by less of the most that the process held, 0.1 by default\n"
	"      --from WHEN  judge the time from this moment on: a snapshot's number, or a time in\n"
	"                   UTC such as 2026-11-21T02:55:07\n"
	"      --to WHEN    up to and with this one\n"
	MATCH_HELP
	"      --stacks     each source's id and whole stack below it\n"
	"      --fail-on SIZE\n"
	"                   exit with status 3 when the sources of a process that leak do so by\n"
	"                   SIZE an hour or more, all together; 0: when any does. Those that are\n"
	"                   starting, brief, grew or are folded do not count\n"
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"A source leaks, steadily or in steps, when its floor rises: the least that it holds in\n"
	"each of up to 128 parts of the time. It does not when its floor settles (a cache that\n"
	"fills), slows down (grows, but slower and slower), is a saw-tooth, follows the load, falls\n"
	"back in the end, or grows at start-up only. What a day brings and takes is left out where\n"
	"it shows at least two days. What a program frees as it ends falls back: --to leaves that\n"
	"out. sure: how seldom chance makes such a rise; between: the rate, with 95% certainty;\n"
	"growth: bytes since it began; share: of the growth of the whole process since the first\n"
	"leak began; blocks: growth in blocks; kept: how many of the blocks allocated since then\n"
	"were not freed, \"larger\" where old ones grow. The parts are of equal work, bytes\n"
	"allocated and freed: hours of idling, when nothing can leak, do not count when this is\n"
	"judged; they do in rates, up to the exit, or, of a process that runs, to now.\n"
	"\n"
	"The clock can tell that there is no leak, or not yet one. \"starting\": it was not seen to\n"
	"go on for as long again after the process had started, which is when it had nine tenths\n"
	"of its sources, or, where most of what grows is no leak, three quarters of that, and in\n"
	"any case after ten minutes. \"brief\": it was seen to grow for less than --min-time; or for\n"
	"less than ten minutes, after a time without, and all that it holds may be recent.\n"
	"\"grew\", until a time: since then others worked as they did before, and it stood still; or\n"
	"it was brief, and stood still for longer. Where nobody worked, nothing is known: it leaks,\n"
	"and when it was last seen to grow is told. \"or earlier\": the log does not show it begin.\n"
	"\n"
	"\"new\", where nothing leaks: a quarter or more of all that is live has come in the last\n"
	"tenth of the time, and so much was never there before. Nobody knows yet whether it stays.\n"
	"\n"
	"The test is Mann and Kendall's (Mann 1945, Kendall 1975) with Hamed and Rao's correction\n"
	"for values that resemble those before (1998); where a floor hardly ever falls, a sign\n"
	"test (Cox and Stuart 1955). What slows down is told by the curve that fits best (Schwarz\n"
	"1978; Kass and Raftery 1995). The rate is Theil and Sen's (Sen 1968). Of the sources called\n"
	"leaks at most one in twenty is one by chance (Benjamini and Hochberg 1995). At least 8\n"
	"snapshots are needed, before the exit. In a sampled log a rise must also be more than\n"
	"sampling makes in one of 200 cases, and the rate's interval counts that in. Growth\n"
	"outside malloc is told, and does not count for --fail-on. In a log without times the\n"
	"rate is bytes a snapshot.\n"
	"\n"
	"The exit status is 1 when a log cannot be read or is damaged, 2 for a wrong command line,\n"
	"3 for --fail-on.\n";

// A process of the log at hand.
struct judged {
	struct run *run;
	struct history *history;
	uint64_t first, last; // numbers of snapshots that are judged
	uint64_t exit;        // of the exit's, which is not
};

static struct {
	struct judged *runs;
	size_t count, room;
	bool leaks; // as much as --fail-on says, in any log
} state;

static struct judged *
judged_of(struct run *run)
{
	for (size_t i = state.count; i > 0; i--)
		if (state.runs[i - 1].run == run)
			return &state.runs[i - 1];
	state.runs = memory_grow(state.runs, state.count, &state.room, sizeof(*state.runs));
	state.runs[state.count] = (struct judged){.run = run, .history = history_open(run)};
	return &state.runs[state.count++];
}

// Whether the snapshot comes before the moment; with `same`, or is it.
static bool
is_before(const struct summary *summary, const struct moment *moment, bool same)
{
	switch (moment->kind) {
	case MOMENT_NUMBER:
		return summary->number < moment->number || (same && summary->number == moment->number);
	case MOMENT_TIME:
		return summary->time_ms < moment->time_ms
			|| (same && summary->time_ms == moment->time_ms);
	default:
		return same;
	}
}

static void
read_log(struct log *log)
{
	const struct snapshot *snapshot;

	while ((snapshot = log_next_told(log))) {
		const struct summary *summary = &snapshot->summary;
		if (is_before(summary, &options.from, false) || !is_before(summary, &options.to, true))
			continue;
		struct judged *judged = judged_of(snapshot->run);
		if (history_span(judged->history).snapshots == 0)
			judged->first = summary->number;
		if (strcmp(summary->reason, "exit") == 0)
			judged->exit = summary->number;
		else
			judged->last = summary->number;
		history_add(judged->history, snapshot);
	}
}

// With the names that the log's frames have by now.
static bool
is_wanted(const struct source *source)
{
	struct row row = row_of_source(source);
	return match_row(&options.match, &row);
}

static void
print_heading(const struct judged *judged, struct log *log)
{
	struct history_span span = history_span(judged->history);
	struct profile_run run = {.log = log, .run = judged->run};
	struct clip clip = {0};
	char text[UNIT_TEXT];

	heading_process(&clip, judged->run, log);
	if (span.snapshots > 0) {
		clip_format(&clip, "snapshots [%" PRIu64 "] to [%" PRIu64 "]", judged->first,
			judged->last);
		if (span.has_times)
			clip_format(&clip, ", %s from %s on", unit_duration(text, span.duration),
				unit_time((char[UNIT_TEXT]){0}, span.start));
		if (span.has_exit)
			clip_format(&clip, ", before the exit in [%" PRIu64 "]", judged->exit);
		clip_end_line(&clip);
	}
	// What the log lacks, and so the verdict may.
	heading_notes(&clip, &run, 1);
	clip_print(&clip);
	clip_free(&clip);
}

static bool
is_too_much(const struct findings *findings, const struct history *history)
{
	struct history_span span = history_span(history);
	const struct leak_sum *leaks = &findings->leaks[STANDS];
	return options.fail_on != UINT64_MAX && leaks->count > 0
		&& history_rate(&span, leaks->slope) >= (double)options.fail_on;
}

// The process may run, and be silent.
static void
look_for_process(const struct judged *judged)
{
	struct proc process;
	bool known;

	if (judged->last == judged->run->last_number
			&& process_of_run(&process, judged->run, &known))
		history_lives(judged->history, clock_ms(CLOCK_REALTIME));
}

static void
judge_run(struct judged *judged, struct log *log)
{
	struct leaks_style style = {
		.most = options.count ? options.count : SIZE_MAX,
		.stacks = options.stacks,
		.all = options.all,
		.min_time = (double)options.min_time,
		.fails = options.fail_on != UINT64_MAX,
	};
	bool all = match_is_empty(&options.match);
	struct leaks_asked asked = {
		.least = (double)options.min,
		.min_time = (double)options.min_time,
		.min_rate = (double)options.min_rate,
		.min_share = options.min_share,
		.wanted = all ? NULL : is_wanted,
	};
	struct findings findings;

	if (!all)
		symbols_resolve(judged->run->frames, judged->run->frame_count);
	look_for_process(judged);
	findings_make(&findings, judged->history, &asked);
	service_begin();
	print_heading(judged, log);
	leaks_print(&findings, judged->history, &style);
	service_end(judged->run, &findings, judged->history);
	state.leaks = state.leaks || is_too_much(&findings, judged->history);
	findings_free(&findings);
	history_close(judged->history);
}

// False: it cannot be read, or not all of it.
static bool
judge_log(const char *path)
{
	struct log *log = log_open(path);
	if (!log)
		return false;
	state.count = 0;
	read_log(log);
	bool is_good = log_finish(log);
	if (state.count == 0 && log_last_run(log)) {
		warn("%s: no snapshot of that time in this log", log_path(log));
		is_good = false;
	}
	for (size_t i = 0; i < state.count; i++)
		judge_run(&state.runs[i], log);
	log_close(log);
	return is_good;
}

static void
check_moment(const char *option, const struct moment *moment)
{
	if (moment->kind == MOMENT_PEAK)
		options_refuse("leaks", "--%s: expected a snapshot's number or a time", option);
}

int
leaks_main(int argc, char **argv)
{
	char **paths = input_paths(options_parse(argc, argv, leaks_tables));
	bool bad = false;

	if (!*paths)
		options_refuse("leaks", "no log given");
	check_moment("from", &options.from);
	check_moment("to", &options.to);
	match_compile(&options.match, "leaks");
	for (; *paths; paths++)
		bad = !judge_log(*paths) || bad;
	service_print(options.count ? options.count : UINT64_MAX, options.all);
	free(state.runs);
	if (state.leaks)
		return EXIT_LEAK;
	return bad ? EXIT_DATA : 0;
}
