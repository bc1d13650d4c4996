// pmem leaks: which sources leak. Reads a log once, keeps a history of each of its processes,
// and says of each what it does.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "print/heading.h"
#include "log/operands.h"
#include "rows/match.h"
#include "base/memory.h"
#include "log/progress.h"
#include "symbols/symbols.h"
#include "base/term.h"
#include "print/wording.h"
#include "print/verdict.h"

enum {
	ROWS = 20,
	LEAST_GROWTH = 1024,
};

static struct {
	uint64_t count; // -n; 0: all
	uint64_t min;
	uint64_t fail_on; // UINT64_MAX: not given
	struct moment from, to;
	struct match match;
	bool stacks, all;
} options = {
	.count = ROWS,
	.min = LEAST_GROWTH,
	.fail_on = UINT64_MAX,
	.from = {.kind = MOMENT_FIRST},
	.to = {.kind = MOMENT_LAST},
};

static const struct option leaks_options[] = {
	{"all", 'a', OPTION_FLAG, &options.all, NULL},
	{"number", 'n', OPTION_NUMBER, &options.count, NULL},
	{"min", 0, OPTION_BYTES, &options.min, NULL},
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
	"since when, and how fast; each process by itself. LOG is a file, or - for standard input.\n"
	"\n"
	"  -a, --all        say of sources that do not leak what they do\n"
	"  -n, --number N   so many sources, 20 by default; 0: all\n"
	"      --min SIZE   growth below that is none, 1K by default\n"
	"      --from WHEN  judge the time from this moment on: a snapshot's number, or a time in\n"
	"                   UTC such as 2026-11-21T02:55:07\n"
	"      --to WHEN    up to and with this one\n"
	MATCH_HELP
	"      --stacks     each source's id and whole stack below it\n"
	"      --fail-on SIZE\n"
	"                   exit with status 3 when the sources of a process that leak do so by\n"
	"                   SIZE an hour or more, all together; 0: when any does\n"
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"A source leaks, steadily or in steps, when its floor rises: the least that it holds in\n"
	"each of up to 128 parts of the time. It does not when its floor settles (a cache that\n"
	"fills), is a saw-tooth, follows the load, falls back in the end, or grows at start-up\n"
	"only. What a program frees as it ends falls back: --to leaves that out. sure: how seldom\n"
	"chance makes such a rise; between: the rate, with 95% certainty; growth: bytes since it\n"
	"began; share: of the growth of the whole process since the first leak began; blocks:\n"
	"growth in blocks; kept: how many of the blocks allocated since then were not freed,\n"
	"\"larger\" where old ones grow. Hours of idling, when nothing can leak, do not count when\n"
	"this is judged; they do in rates.\n"
	"\n"
	"The test is Mann and Kendall's (Mann 1945, Kendall 1975) with Hamed and Rao's correction\n"
	"for values that resemble those before (1998); where a floor hardly ever falls, a sign\n"
	"test (Cox and Stuart 1955). The rate is Theil and Sen's (Sen 1968). Of the sources called\n"
	"leaks at most one in twenty is one by chance (Benjamini and Hochberg 1995). At least 8\n"
	"snapshots are needed, before the exit. Growth outside malloc is told, and does not count\n"
	"for --fail-on. In a log without times the rate is bytes a snapshot.\n"
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
is_before(const struct snapshot *snapshot, const struct moment *moment, bool same)
{
	switch (moment->kind) {
	case MOMENT_NUMBER:
		return snapshot->number < moment->number || (same && snapshot->number == moment->number);
	case MOMENT_TIME:
		return snapshot->time_ms < moment->time_ms || (same && snapshot->time_ms == moment->time_ms);
	default:
		return same;
	}
}

static void
read_log(struct reading *reading)
{
	const struct snapshot *snapshot;

	while ((snapshot = progress_next(reading))) {
		if (is_before(snapshot, &options.from, false) || !is_before(snapshot, &options.to, true))
			continue;
		struct judged *judged = judged_of(snapshot->run);
		if (history_span(judged->history).snapshots == 0)
			judged->first = snapshot->number;
		if (strcmp(snapshot->reason, "exit") == 0)
			judged->exit = snapshot->number;
		else
			judged->last = snapshot->number;
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
print_heading(const struct judged *judged, const struct reading *reading)
{
	struct history_span span = history_span(judged->history);
	char text[UNIT_TEXT];

	heading_process(judged->run, reading_path(reading));
	if (span.snapshots > 0)
		printf("snapshots [%" PRIu64 "] to [%" PRIu64 "]", judged->first, judged->last);
	if (span.snapshots > 0 && span.has_times)
		printf(", %s from %s on", unit_duration(text, span.duration),
			unit_time((char[UNIT_TEXT]){0}, span.start));
	if (span.snapshots > 0 && span.has_exit)
		printf(", before the exit in [%" PRIu64 "]", judged->exit);
	if (span.snapshots > 0)
		printf("\n");
}

// What the log lacks, and so the verdict may.
static void
print_notes(const struct run *run)
{
	for (size_t i = 0; i < run->loss_count; i++)
		if (run->losses[i].count)
			heading_note("%s=%" PRIu64 " (see pmem report)", run->losses[i].name,
				run->losses[i].count);
	for (size_t i = 0; i < run->note_count; i++)
		heading_note("%s", run->notes[i]);
	if (run->torn)
		heading_note("%" PRIu64 " snapshot%s left out: cut off in the middle, or damaged",
			run->torn, run->torn > 1 ? "s are" : " is");
	if (run->missing)
		heading_note("%" PRIu64 " snapshot%s missing in the log: rotated away, not written or "
			"left out",
			run->missing, run->missing > 1 ? "s are" : " is");
}

static bool
is_too_much(const struct findings *findings, const struct history *history)
{
	struct history_span span = history_span(history);
	return options.fail_on != UINT64_MAX && findings_leaks(findings) > 0
		&& word_rate_of(&span, findings->slope) >= (double)options.fail_on;
}

static void
judge_run(struct judged *judged, const struct reading *reading)
{
	static bool is_next;
	struct leaktable style = {options.count ? options.count : SIZE_MAX, options.stacks};
	bool all = match_is_empty(&options.match);
	struct findings findings;

	if (!all)
		symbols_resolve(judged->run->frames, judged->run->frame_count);
	findings_make(&findings, judged->history, (double)options.min, all ? NULL : is_wanted);
	if (is_next)
		putchar('\n');
	is_next = true;
	print_heading(judged, reading);
	print_notes(judged->run);
	verdict_print(&findings, judged->history, &style, options.all);
	state.leaks = state.leaks || is_too_much(&findings, judged->history);
	findings_free(&findings);
	history_close(judged->history);
}

// False: it cannot be read, or not all of it.
static bool
judge_log(const char *path)
{
	struct reading *reading = reading_open(path);
	if (!reading)
		return false;
	state.count = 0;
	read_log(reading);
	bool is_good = reading_finish(reading);
	if (state.count == 0 && reading_last_run(reading)) {
		warn("%s: no snapshot of that time in this log", reading_path(reading));
		is_good = false;
	}
	for (size_t i = 0; i < state.count; i++)
		judge_run(&state.runs[i], reading);
	reading_close(reading);
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
	char **paths = options_parse(argc, argv, leaks_tables);
	bool bad = false;

	if (!*paths)
		options_refuse("leaks", "no log given");
	check_moment("from", &options.from);
	check_moment("to", &options.to);
	match_compile(&options.match, "leaks");
	operands_once(paths);
	for (; *paths; paths++)
		bad = !judge_log(*paths) || bad;
	free(state.runs);
	if (state.leaks)
		return EXIT_LEAK;
	return bad ? EXIT_DATA : 0;
}
