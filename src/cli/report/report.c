// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/run.h"
#include "report/outside_words.h"
#include "report/report.h"
#include "report/script.h"
#include "rows/grouping.h"
#include "rows/row_copy.h"
#include "symbols/symbols.h"
#include "trend/history.h"

// Returns false for a leak that was seen for too short a time for a rate.
static bool
has_rate(const struct finding *finding, double min_time)
{
	if (!verdict_is_leak(finding->trend.verdict))
		return false;
	if (finding->standing == STANDS_STILL)
		return finding->grew - finding->began >= min_time;
	return finding->standing != STANDS_STARTING && finding->standing != STANDS_BRIEF;
}

static struct report_finding
finding_make(const struct finding *of, const struct history_span *span, double min_time)
{
	const struct trend *trend = &of->trend;
	struct report_finding finding = {.word = severity_word_of(of), .lowest = of->lowest,
		.highest = of->highest, .live = of->live, .history = trend->verdict};

	if (!verdict_is_leak(trend->verdict))
		return finding;
	finding.grows = true;
	finding.has_rate = has_rate(of, min_time);
	finding.confidence = fmin(floor(trend->confidence * 1000) / 1000, 0.999);
	finding.rate = history_rate(span, trend->slope);
	finding.rate_low = history_rate(span, trend->slope_low);
	finding.rate_high = history_rate(span, trend->slope_high);
	finding.growth = fmax(trend->growth, 0);
	finding.growth_blocks = fmax(trend->growth_blocks, 0);
	finding.allocs = of->allocs;
	finding.since = span->start + (int64_t)of->began;
	finding.or_earlier = of->or_earlier;
	finding.until = span->start + (int64_t)of->grew;
	finding.held = of->held;
	finding.before = history_rate(span, of->before);
	return finding;
}

// Returns the row, with only the callers common to the stacks that have nearly all growth. A row of
// several stacks has no id.
static struct row
row_of_most(const struct history *history, const struct finding *finding)
{
	size_t count, most;
	const struct source *const *sources = history_joined(history, finding->number, &count, &most);
	struct row row = row_of_source(sources[0]);

	for (size_t i = 1; i < most; i++) {
		struct row more = row_of_source(sources[i]);
		grouping_cut(&row, &more);
	}
	if (count > 1)
		row.id = 0;
	return row;
}

// Marks findings as not judged if live bytes are too many to be true (impossible.h).
static void
judge_nothing(struct report_process *process, const struct findings *findings)
{
	static const struct report_word word = {REPORT_NOT_JUDGED, "impossible"};

	for (size_t i = 0; i < findings->count; i++)
		if (findings->sources[i].trend.verdict == VERDICT_SHORT)
			process->findings[i].word = word;
	if (findings->gauges[GAUGE_LIVE].trend.verdict == VERDICT_SHORT)
		process->gauges[GAUGE_LIVE].word = word;
}

// Returns the growth of memory as a whole, as a sum of one leak.
static struct leak_sum
sum_of(const struct finding *gauge)
{
	return (struct leak_sum){.count = 1, .growth = gauge->trend.growth, .began = gauge->began,
		.grew = gauge->grew, .known = gauge->known,
		.seen = gauge->grew - gauge->began - gauge->unseen};
}

static void
add_findings(struct report_process *process, const struct findings *findings,
	struct history *history, double min_time)
{
	struct history_span span = history_span(history);
	struct symbols_wanted wanted = {0};
	struct trend_point points[TREND_MAX];
	size_t most;

	process->findings = memory_get(findings->count, sizeof(*process->findings));
	process->count = process->judged = findings->count;
	process->leaks = findings_leaks(findings);
	process->standing = findings->leaks[STANDS].count;
	process->little = findings->leaks[STANDS_LITTLE].count;
	for (size_t i = 0; i < process->leaks; i++)
		symbols_want(&wanted, findings->sources[i].source->frames,
			findings->sources[i].source->depth);
	symbols_resolve_wanted(&wanted);
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *of = &findings->sources[i];
		struct report_finding *finding = &process->findings[i];
		*finding = finding_make(of, &span, min_time);
		finding->sources = history_joined(history, of->number, &finding->stacks, &most);
		struct row most_row = row_of_most(history, of);
		bool is_rest = of->source->kind == SOURCE_REST;
		finding->row = is_rest ? row_of_source(of->source) : most_row;
		if (is_rest)
			finding->most = most_row;
	}
	for (enum gauge i = 0; i < GAUGES_JUDGED; i++) {
		process->gauges[i] = finding_make(&findings->gauges[i], &span, min_time);
		process->gauges[i].is_known = history_gauge(history, i, points) > 0;
		process->gauges[i].sum = sum_of(&findings->gauges[i]);
	}
	if (findings->is_impossible)
		judge_nothing(process, findings);
}

// Returns the highest of three rates. These are the rate of all leaks together, of live memory, and
// of resident memory. The last two count only if they surely grow.
static double
limit_rate(const struct report_process *process)
{
	const struct report_finding *live = &process->gauges[GAUGE_LIVE];
	double rate = process->rate;

	if (live->word.verdict == REPORT_LEAKS)
		rate = fmax(rate, live->rate);
	if (process->gauges[GAUGE_RSS].word.verdict == REPORT_LEAKS)
		rate = fmax(rate, process->rss_rate);
	return rate;
}

// Returns the program with its first arguments, "gate 8143", if its command begins with its name.
// If its script is not among these, returns "node app.js". Without a name, returns that of the
// file.
static char *
title_of(struct report_process *process)
{
	enum { COLUMNS = 32 }; // so that a rate and a time fit 80 columns behind it
	size_t length = strcspn(process->command, " ");
	char *first = arena_text(&process->arena, process->command, length);
	const char *arguments = process->command + length;

	if (strcmp(process->program, "?") == 0) {
		const char *log = path_last(process->log);
		return glyph_clean(arena_text(&process->arena, log, strlen(log)));
	}
	bool has_command = *arguments && strcmp(path_last(first), process->program) == 0;
	char *whole = memory_format("%s%s", process->program, has_command ? arguments : "");
	size_t shown = glyph_cut(whole, COLUMNS);
	bool is_cut = whole[shown] != '\0';
	while (is_cut && shown > 0 && whole[shown] != ' ')
		shown--;
	char *title = shown > 0 ? arena_text(&process->arena, whole, shown) : process->program;
	free(whole);
	const char *script = path_last(process->script);
	if (*script && !strstr(title, script)) {
		whole = memory_format("%s %s", process->program, script);
		title = arena_text(&process->arena, whole, strlen(whole));
		free(whole);
	}
	return title;
}

void
report_make(struct report_process *process, const struct run *run, const char *log,
	const struct findings *findings, struct history *history, double min_time)
{
	struct history_span span = history_span(history);
	const char *name = run_program(run)[0] ? run_program(run) : "?";
	const char *command = run_command_line(run)[0] ? run_command_line(run) : name;

	*process = (struct report_process){.of = run, .pid = run->pid, .run = run->id,
		.has_times = span.has_times, .has_ended = run->ended, .snapshots = span.snapshots,
		.first = span.start, .last = span.start + span.duration,
		.heard = span.has_times ? run->last_time_ms : 0,
		.severity = severity_of(run, findings, &span, min_time), .left_out = findings->left_out,
		.growth_of_all = findings->growth_of_all, .growth_hidden = findings->growth_untold,
		.limit = run->limit, .outside = findings->outside};
	if (process->heard > 0)
		process->age = clock_ms(CLOCK_REALTIME) - process->heard;
	process->log = arena_text(&process->arena, log, strlen(log));
	process->program = glyph_clean(arena_text(&process->arena, name, strlen(name)));
	process->command = glyph_clean(arena_text(&process->arena, command, strlen(command)));
	process->is_short = span.has_exit && severity_is_brief(&span, min_time);
	char *script = glyph_clean(script_of(run));
	process->script = arena_text(&process->arena, script, strlen(script));
	process->title = title_of(process);
	process->name = *script ? (char *)path_last(process->script)
		: process->program[0] == '?' ? process->title : process->program;
	free(script);
	process->host = glyph_clean(arena_text(&process->arena, run->host, strlen(run->host)));
	process->is_beginning = process->severity == SEVERITY_SHORT
		|| (process->severity == SEVERITY_NONE && severity_is_brief(&span, min_time));
	process->word = severity_word(findings, &span, process->severity, min_time);
	process->live = history_gauge_last(history, GAUGE_BLOCKS);
	process->live_last = history_gauge_last(history, GAUGE_LIVE);
	process->rss = history_gauge_last(history, GAUGE_RSS);
	process->mapped = history_gauge_last(history, GAUGE_MAPPED);
	process->rate = history_rate(&span, findings->leaks[STANDS].slope);
	process->held_rate = history_rate(&span, findings->leaks[STANDS].held_slope);
	memcpy(process->sums, findings->leaks, sizeof(process->sums));
	add_findings(process, findings, history, min_time);
	char like[OUTSIDE_TEXT];
	if (process->gauges[GAUGE_OUTSIDE].grows && outside_words(like, run, &findings->outside))
		process->outside_like = arena_text(&process->arena, like, strlen(like));
	report_add_whole(process, findings, history, min_time);
	process->limit_rate = limit_rate(process);
}

void
report_keep(struct report_process *process)
{
	process->of = NULL;
	process->count = process->leaks;
	for (size_t i = 0; i < process->leaks; i++) {
		struct report_finding *finding = &process->findings[i];
		finding->sources = NULL;
		finding->row = row_copy(&process->arena, &finding->row);
		finding->most = row_copy(&process->arena, &finding->most);
	}
	process->burst.row = row_copy(&process->arena, &process->burst.row);
}

void
report_add(struct report *report, const struct report_process *process)
{
	report->processes = memory_grow(report->processes, report->count, &report->room,
		sizeof(*report->processes));
	report->processes[report->count] = *process;
	report->processes[report->count].number = report->count;
	report->count++;
}

static bool
is_beginning(const struct report *report, size_t number)
{
	const struct report_process *of = &report->processes[number];
	bool goes_on = false;

	for (size_t i = 0; of->is_beginning && of->run && i < report->count; i++)
		goes_on |= report->processes[i].run == of->run
			&& (!report->processes[i].is_beginning || i < number);
	return goes_on;
}

void
report_settle(struct report *report)
{
	struct report_process *out = memory_get(report->count, sizeof(*out));
	size_t left = 0;

	for (size_t i = 0; i < report->count; i++)
		if (is_beginning(report, i))
			out[report->left_out++] = report->processes[i];
	for (size_t i = 0, k = 0; i < report->count; i++)
		if (k < report->left_out && report->processes[i].number == out[k].number)
			k++;
		else
			report->processes[left++] = report->processes[i];
	report->count = left;
	if (report->left_out > 0)
		memcpy(&report->processes[left], out, report->left_out * sizeof(*out));
	free(out);
}

struct report
report_living(const struct report *report)
{
	struct report living = *report;

	living.processes = memory_get(report->count, sizeof(*living.processes));
	living.count = 0;
	for (size_t i = 0; i < report->count; i++)
		if (!report_is_over(&report->processes[i]))
			living.processes[living.count++] = report->processes[i];
	return living;
}

bool
report_rates_add(struct report_rates *rates, const struct rate_of_process *rate)
{
	struct rate_of_process *last = rates->count > 0 ? &rates->all[rates->count - 1] : NULL;

	if (last && last->process == rate->process) {
		last->rate += rate->rate;
		last->first = rate->first < last->first ? rate->first : last->first;
		return false;
	}
	rates->all = memory_grow(rates->all, rates->count, &rates->room, sizeof(*rates->all));
	rates->all[rates->count++] = *rate;
	return true;
}

// Where a process begins, its rate is added. Where it ends, its rate is subtracted.
struct change {
	int64_t time;
	double rate;
};

// Sorts by time. At the same time, beginnings come first.
static int
by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->rate < b->rate) - (a->rate > b->rate);
}

double
report_rates_highest(struct report_rates *rates)
{
	struct change *changes = memory_get(2 * rates->count, sizeof(*changes));
	double sum = 0, highest = 0;
	size_t count = 0;

	for (size_t i = 0; i < rates->count; i++) {
		const struct rate_of_process *of = &rates->all[i];
		changes[count++] = (struct change){of->first, of->rate};
		if (of->last < INT64_MAX)
			changes[count++] = (struct change){of->last, -of->rate};
	}
	memory_sort(changes, count, sizeof(*changes), by_time);
	for (size_t i = 0; i < count; i++) {
		sum += changes[i].rate;
		highest = fmax(highest, sum);
	}
	free(changes);
	free(rates->all);
	*rates = (struct report_rates){0};
	return highest;
}

double
report_rate(const struct report *report, bool lost, bool *is_highest)
{
	struct report_rates rates = {0};
	double sum = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		double rate = process->rate - (lost ? process->held_rate : 0);
		struct rate_of_process of = report_rate_of(process, report_leaks_since(process), rate);
		if (!process->has_times)
			continue;
		report_rates_add(&rates, &of);
		sum += rate;
	}
	double highest = report_rates_highest(&rates);
	if (is_highest)
		*is_highest = highest < sum * 0.999;
	return highest;
}

size_t
report_count(const struct report *report, enum severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++)
		count += report->processes[i].severity == severity;
	return count;
}

void
report_free(struct report *report)
{
	for (size_t i = 0; i < report->count + report->left_out; i++) {
		struct report_process *process = &report->processes[i];
		free(process->text);
		free(process->notes);
		free(process->unwritten);
		free(process->findings);
		arena_free(&process->arena);
	}
	free(report->processes);
}
