// SPDX-License-Identifier: BSD-2-Clause
// pmem leaks: shows which sources leak. Reads each log once, keeps a history of each process, and
// prints what the modules in trend/ find.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "cli.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/target.h"
#include "base/term.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "symbols/symbols.h"
#include "rows/grouping.h"
#include "rows/match.h"
#include "rows/wrapper.h"
#include "print/wrap.h"
#include "find/find.h"
#include "report/failure.h"
#include "report/jobs.h"
#include "render/junit.h"
#include "render/leaks_json.h"
#include "render/leaks_text.h"
#include "render/openmetrics.h"
#include "service/baseline.h"
#include "service/process_result.h"
#include "service/service.h"

// Rows of a table; ROWS_OF_SCREEN: on a screen with many processes; ROWS_OF_ONE: with one process.
enum { ROWS = 20, ROWS_OF_SCREEN = 15, ROWS_OF_ONE = 12 };
#define NOT_GIVEN UINT64_MAX

// The values of --by.
static const char *const by_names[] = {"source", "process", "stack", NULL};
enum { BY_SOURCE, BY_PROCESS, BY_STACK };

// The formats of --to.
static const char *const format_names[] = {"json", "openmetrics", "junit", NULL};
enum { AS_TEXT = -1, AS_JSON, AS_OPENMETRICS, AS_JUNIT };

static struct {
	int by; // index in by_names
	bool by_name;
	struct option_list exe;      // patterns for program names; empty to select all programs
	struct option_list baseline; // logs of the release before
	uint64_t count; // the number given by -n; 0 for all; NOT_GIVEN
	uint64_t min;
	int64_t min_time; // ms
	uint64_t min_rate; // bytes an hour
	double min_share; // percent
	struct failure_limits fail;
	struct moment from;
	struct moment_or_word to; // the last moment, and the format
	const char *output; // NULL for standard output
	struct stack_match match;
	bool stacks, all, verbose, json;
} options = {
	.count = NOT_GIVEN,
	.min = LEAKS_LEAST,
	.min_time = LEAKS_MIN_TIME,
	.min_rate = LEAKS_MIN_RATE,
	.min_share = LEAKS_MIN_SHARE,
	.fail = {.leaks = NOT_GIVEN, .leaks_of_all = NOT_GIVEN, .outside = NOT_GIVEN},
	.from = {.kind = MOMENT_FIRST},
	.to = {.moment = {.kind = MOMENT_LAST}, .word = AS_TEXT},
};

static const struct option leaks_options[] = {
	{"all", 'a', OPTION_FLAG, &options.all, NULL},
	{"verbose", 'v', OPTION_FLAG, &options.verbose, NULL},
	{"by", 'b', OPTION_WORD, &options.by, by_names},
	{"by-name", 0, OPTION_FLAG, &options.by_name, NULL},
	{"exe", 0, OPTION_LIST, &options.exe, NULL},
	{"number", 'n', OPTION_NUMBER, &options.count, NULL},
	{"min", 0, OPTION_BYTES, &options.min, NULL},
	{"min-time", 0, OPTION_DURATION, &options.min_time, NULL},
	{"min-rate", 0, OPTION_BYTES, &options.min_rate, NULL},
	{"min-share", 0, OPTION_PERCENT, &options.min_share, NULL},
	{"from", 0, OPTION_MOMENT, &options.from, NULL},
	{"to", 0, OPTION_MOMENT_OR_WORD, &options.to, format_names},
	MATCH_OPTIONS(options.match),
	{"stacks", 0, OPTION_FLAG, &options.stacks, NULL},
	{"json", 0, OPTION_FLAG, &options.json, NULL},
	{"output", 'o', OPTION_TEXT, &options.output, NULL},
	{"baseline", 0, OPTION_LIST, &options.baseline, NULL},
	{"fail-on", 0, OPTION_BYTES, &options.fail.leaks, NULL},
	{"fail-on-all", 0, OPTION_BYTES, &options.fail.leaks_of_all, NULL},
	{"fail-on-lost", 0, OPTION_FLAG, &options.fail.lost, NULL},
	{"fail-on-outside", 0, OPTION_BYTES, &options.fail.outside, NULL},
	{"fail-on-unjudged", 0, OPTION_FLAG, &options.fail.unjudged, NULL},
	{0},
};

const struct option *const leaks_tables[] = {
	leaks_options, wrapper_options, symbols_options, term_options, NULL,
};

const char leaks_help[] =
	"usage: pmem leaks [OPTION...] LOG...\n"
	"\n"
	"Shows which sources (lines that allocate) leak, since when, and how fast.\n"
	"  pmem leaks .                         all processes with a log in this folder\n"
	"  pmem leaks 4242                      process 4242, while it runs or later\n"
	"  pmem leaks --fail-on 1M .            exits with 3 from 1 MiB an hour on\n"
	"\n"
	"  leaks            live memory keeps rising; kept: freed as the process ended\n"
	"  too early        it grows, but nobody can tell yet; stopped: it grew\n"
	"  outside malloc   memory grows that malloc did not give; files: mapped files\n"
	"  an hour, since   how fast it leaks, and when it began; sure: how sure that is\n"
	"  until, unfreed   when its process ended (~: or later); how many blocks stay\n"
	"\n"
	"  -v, --verbose        also details of each process, and what its log lacks\n"
	"  -a, --all            also sources and processes that do not leak\n"
	"  -b, --by WHAT        a line for each source (default), stack or process\n"
	"  --by-name            take sources with equal function names as one\n"
	"  --exe NAME           this program's processes; * is any text; needs no LOG\n"
	"  -n, --number N       print N sources (20, of many processes 15); 0: all\n"
	"  --min SIZE           ignore growth below SIZE (1K)\n"
	"  --min-time DURATION  growth is \"too early\" for so long (1m; after a start 8m)\n"
	"  --min-rate SIZE      sum up what leaks less than SIZE an hour (1K)\n"
	"  --min-share PERCENT  sum up leaks below this share of live memory (0.1)\n"
	"  --from WHEN          begin at a snapshot's number or a time: 02:55, -5h\n"
	"  --to WHEN|FORMAT     end then; or print json (--json), openmetrics, junit\n"
	MATCH_HELP
	"  --stacks             print each source's id and whole stack, too\n"
	"  -o, --output FILE    write into FILE, which is replaced whole\n"
	"  --fail-on SIZE       exit with 3 if a process leaks SIZE an hour; 0: at all\n"
	"  --fail-on-all SIZE   the same for all processes together\n"
	"  --fail-on-lost       the same, but what is \"kept\" does not count\n"
	"  --fail-on-outside SIZE  exit with 4 if SIZE an hour grows outside malloc\n"
	"  --fail-on-unjudged   exit with 5 if it is \"too early\" or \"not judged\"\n"
	"  --baseline LOG       only what leaks more than in LOG of the release before\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"More: src/cli/trend/VERDICTS.md. Exit status: 1 bad log, 2 usage, 3-5 --fail-on.\n";

static struct {
	struct report report;
	struct report_jobs jobs;
	struct grouping places; // which sources are judged as one
	bool is_search; // true if no log was named, and logs were searched instead
	size_t meant;   // number of processes that --exe selects
	bool fails_on_leaks; // true with --fail-on or --fail-on-all
} state;

// Returns true if --match, --not and --thread select the source. A function's name comes from
// symbols.h if it was looked up, otherwise from the log.
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
		.place_of = state.places.by != GROUPING_BY_ID ? place_of : NULL,
		.before = options.baseline.count > 0 && !is_baseline ? baseline_of : NULL,
	};

	if (!all || asked.place_of)
		symbols_resolve(result->run->frames, result->run->frame_count);
	process_result_judge(result, findings, &asked, path);
}

// Returns the limit for the rows of a table. JSON has no limit without -n.
static size_t
most_rows(size_t usual)
{
	if (options.count == NOT_GIVEN)
		return options.to.word == AS_JSON ? SIZE_MAX : usual;
	return options.count ? options.count : SIZE_MAX;
}

static void
judge_run(struct process_result *result, struct log *log)
{
	bool is_verbose = options.verbose || options.all || options.stacks;
	struct leaks_style style = {
		.most = most_rows(is_verbose ? ROWS : ROWS_OF_ONE),
		.stacks = options.stacks,
		.all = options.all,
		.is_verbose = is_verbose,
		.min_time = (double)options.min_time,
		.fails_on_lost = options.fail.lost,
		.has_baseline = options.baseline.count > 0,
	};
	struct report_process process;
	struct findings findings;
	struct compose text;

	wrapper_learn(result->run);
	baseline_meet(result->run);
	make_findings(&findings, result, log_path(log), false);
	report_make(&process, result->run, log_path(log), &findings, result->history, style.min_time);
	process_result_tell(result, &process);
	process.fails = failure_of_process(&process, &options.fail);
	// With --fail-on-unjudged, a process that nobody can judge fails.
	style.fails = state.fails_on_leaks && process.fails != EXIT_UNJUDGED;
	jobs_add(&state.jobs, &process, result->work, match_is_empty(&options.match) ? NULL : is_wanted);
	process.notes = process_result_notes(result, log);
	compose_begin(&text);
	if (options.to.word == AS_JSON) {
		leaks_json_process(text.to, &process, &style);
	} else if (options.to.word != AS_OPENMETRICS) {
		if (style.is_verbose && options.to.word == AS_TEXT)
			process_result_print_heading(text.to, result, log);
		leaks_text_print(text.to, &process, &style);
	}
	process.text = compose_end(&text);
	size_t length = strlen(process.text);
	// A table ends with an empty line, also if nothing comes behind it.
	if (length > 1 && process.text[length - 2] == '\n')
		process.text[length - 1] = '\0';
	findings_free(&findings);
	report_keep(&process);
	report_add(&state.report, &process);
}

static void
take_baseline(struct process_result *result, struct log *log)
{
	struct findings findings;

	make_findings(&findings, result, log_path(log), true);
	baseline_add(&findings, result->history);
	findings_free(&findings);
}

static void
check_moment(const char *option, const struct moment *moment)
{
	if (moment->kind == MOMENT_PEAK)
		options_refuse("leaks", "--%s: expected a snapshot's number or a time", option);
}

// Reads all logs and calls `take` for each process that --exe selects. Returns false if a log could
// not be read completely, or if --exe selects no process.
static bool
judge_all(char **paths, process_result_taker *take)
{
	process_result_set_span(paths, &options.from, &options.to.moment);
	return process_result_each(paths, &options.exe, state.is_search, take, &state.meant);
}

// Returns the logs that are to be read. Ends this program if -o names one of them or its duplicate.
static char **
logs_of(char **operands)
{
	char **paths = *operands ? input_paths(find_logs_of_pids(operands)) : input_usual_paths();

	input_refuse_output(paths, options.output, "leaks");
	paths = duplicates_leave_out(paths, NULL);
	state.is_search = !*operands;
	if (state.is_search && !*paths)
		die(EXIT_DATA, "no log in this folder, nor in " PMEM_LOG_FALLBACK_DIR);
	return paths;
}

// Reads the logs of --baseline.
// Returns false if a log could not be read completely, or if --exe selects no process.
static bool
read_baseline(void)
{
	size_t count = options.baseline.count;
	char **logs = memory_get(count + 1, sizeof(*logs));
	for (size_t i = 0; i < count; i++)
		logs[i] = (char *)options.baseline.texts[i];
	logs[count] = NULL;
	bool is_good = judge_all(logs_of(logs), take_baseline);
	free(logs);
	return is_good;
}

static void
print_text(FILE *to)
{
	struct wrap wrap;

	service_print(wrap_begin(&wrap, to), &state.report,
		&(struct service_style){.most = most_rows(ROWS_OF_SCREEN),
			.has_number = options.count != NOT_GIVEN,
			.all = options.all, .is_verbose = options.verbose || options.stacks,
			.grouping = state.places.by,
			.by_process = options.by == BY_PROCESS,
			.is_release = options.baseline.count > 0});
	wrap_end(&wrap);
}

// Prints the answer in the format that --to names, to the file of --output.
static void
print_answer(char **paths, bool is_whole)
{
	struct target target;
	// Metrics are often collected by another user, and have no names but those of lines.
	bool is_for_others = options.to.word == AS_OPENMETRICS;

	target_open(&target, options.output, is_for_others ? 0644 : input_mode(paths));
	if (options.to.word == AS_JSON)
		leaks_json_print(target.to, &state.report, state.places.by, options.baseline.count == 0);
	else if (options.to.word == AS_OPENMETRICS)
		openmetrics_print(target.to, &state.report, most_rows(OPENMETRICS_LINES), is_whole,
			state.places.by, options.baseline.count == 0);
	else if (options.to.word == AS_JUNIT)
		junit_print(target.to, &state.report, &options.fail);
	else
		print_text(target.to);
	target_close(&target);
}

// Sets the limits that follow from options. Growth outside of malloc also fails, unless options select
// sources, or only new leaks.
static void
set_limits(void)
{
	struct failure_limits *fail = &options.fail;
	bool is_part = !match_is_empty(&options.match) || options.baseline.count > 0;

	state.fails_on_leaks = fail->leaks != NOT_GIVEN || fail->leaks_of_all != NOT_GIVEN;
	fail->is_part = is_part || options.by == BY_STACK;
	fail->least = options.min_rate;
	if (fail->outside == NOT_GIVEN && !is_part)
		fail->outside = fail->leaks;
	if ((fail->lost || options.baseline.count > 0) && fail->leaks_of_all == NOT_GIVEN
			&& fail->leaks == NOT_GIVEN)
		fail->leaks = 0;
}

int
leaks_main(int argc, char **argv)
{
	char **operands = options_parse(argc, argv, leaks_tables);

	if (!*operands && options.exe.count == 0)
		options_refuse("leaks", "no log given");
	if (options.json && options.to.word != AS_TEXT && options.to.word != AS_JSON)
		options_refuse("leaks", "--json and --to %s: only one of both",
			format_names[options.to.word]);
	if (options.json)
		options.to.word = AS_JSON;
	if (options.to.word != AS_TEXT || options.output)
		term_none();
	check_moment("from", &options.from);
	check_moment("to", &options.to.moment);
	match_compile(&options.match, "leaks");
	wrapper_compile("leaks");
	state.places.by = options.by_name || options.baseline.count > 0 ? GROUPING_BY_NAME
		: options.by == BY_STACK ? GROUPING_BY_ID : GROUPING_BY_PLACE;
	state.places.with_lines = options.baseline.count == 0;
	set_limits();
	bool is_good = options.baseline.count == 0 || read_baseline();
	// Without a process in the baseline, every leak would be called new.
	if (options.baseline.count > 0 && state.meant == 0)
		return EXIT_DATA;
	state.jobs.by = state.places.by;
	state.jobs.with_lines = state.places.with_lines;
	state.jobs.least = (double)options.min;
	char **paths = logs_of(operands);
	is_good = judge_all(paths, judge_run) && is_good;
	report_settle(&state.report);
	jobs_judge(&state.jobs, &state.report);
	state.report.jobs = &state.jobs;
	int failure = failure_of_report(&state.report, &options.fail);
	// The file keeps its old answer if no log could be read.
	if (is_good || state.report.count > 0 || !options.output)
		print_answer(paths, is_good);
	report_free(&state.report);
	jobs_free(&state.jobs);
	baseline_warn();
	return failure ? failure : is_good ? 0 : EXIT_DATA;
}
