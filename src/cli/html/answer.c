// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "html/answer.h"
#include "html/data_text.h"
#include "log/moments.h"
#include "print/disambiguate.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "render/leaks_text.h"
#include "report/lines.h"
#include "service/job_lines.h"
#include "service/remarks.h"
#include "trend/verdict.h"

// What the colour of a process or of the page means, the most important first.
enum kind { KIND_LEAK, KIND_OUTSIDE, KIND_OTHER, KIND_GOOD, KINDS };
static const char *const kind_words[KINDS] = {"leak", "outside", "other", "good"};

// Explanations of verdicts. The page shows an explanation beside its word.
static const char *const verdicts[REPORT_VERDICTS] = {
	[REPORT_LEAKS] = "Memory grows without end, and is not freed.",
	[REPORT_KEPT] = "It grew until the process freed it as it ended.",
	[REPORT_EARLY] = "It grows, but not for long enough yet to tell a leak from a start or a cache.",
	[REPORT_STOPPED] = "It grew for a while, and has not grown since.",
	[REPORT_OUTSIDE] = "Memory grows that is in no block of malloc's: no source can be named.",
	[REPORT_NOT_JUDGED] = "The log cannot tell.",
	[REPORT_NO_LEAK] = "Nothing grows without end.",
};

static const char *const trends[VERDICTS] = {
	[VERDICT_SLOWS] = "It grows slower and slower, as a cache that fills.",
	[VERDICT_LEVELLED_OFF] = "It grew, and has levelled off.",
	[VERDICT_UP_AND_DOWN] = "It goes up and down, with no growth over time.",
	[VERDICT_FLAT] = "It does not change.",
	[VERDICT_SHORT] = "There are too few snapshots, or too short a time.",
	[VERDICT_SELDOM] = "The log shows this source too seldom to judge it.",
	[VERDICT_UNSEEN] = "Its blocks may be freed past the library, and so count as live.",
};

#define LIVE "Bytes that were allocated and not freed yet, at the moment that is shown."

// Explanations of figures and facts.
static const char *const others[][2] = {
	{"Live", LIVE},
	{"Live bytes", LIVE},
	{"Allocated bytes", "Bytes that were allocated from the beginning on."},
	{"Live at the exit", "Bytes that were not freed when the process ended."},
	{"Live, by the last of each", "The sum over the processes' last snapshots, whenever those were."},
	{"Left by a run", "Bytes that a run had not freed when it ended: half of the runs left less."},
	{"Peak", "The most bytes that were ever live, also between two snapshots."},
	{"Peak at one time", "The most bytes that all processes together had live at one moment."},
	{"Resident", "The physical memory that the process has: blocks, code, stacks and all else."},
	{"Blocks", "Allocations that were not freed yet."},
	{"Sure", "1 less the chance that noise alone makes such a rise."},
	{"With 95% certainty", "The true rate is between these two."},
	{"Growth", "By how many bytes it has grown since it began to grow."},
	{"Share of growth", "The part of the process's growth since its first leak began."},
	{"Unfreed", "How many of the blocks that it has allocated since then were not freed."},
	{"Since", "When it began to grow."},
	{"Allocations", "Calls that have allocated, from the beginning on."},
};

// What keys do on the page.
static const char *const keys[][2] = {
	{"/", "search functions, files, modules"},
	{"← →", "in the chart: a moment earlier, later; with Shift: a span"},
	{"p g", "the peak; growth from the first moment to the last"},
	{"b", "compare with what is chosen next; also Ctrl in the chart"},
	{"n N", "the next process, the one before"},
	{"s m", "processes side by side; modules, or lines"},
	{"i l", "flame graph from main, or inverted; colours by language, or module"},
	{"↑ ↓ ← →", "in the flame graph: around; Enter zooms"},
	{"Escape", "closes; back: zoom, search, source, comparison, moment, process"},
};

static enum kind
kind_of(const struct report_process *process)
{
	if (process->severity == SEVERITY_LEAKS)
		return KIND_LEAK;
	if (remarks_has(process, REPORT_OUTSIDE))
		return KIND_OUTSIDE;
	return process->severity == SEVERITY_NONE && !report_fell_back(process) ? KIND_GOOD : KIND_OTHER;
}

static enum kind
kind_of_job(const struct report_job *job)
{
	return job->word.verdict == REPORT_LEAKS ? KIND_LEAK
		: job->word.verdict == REPORT_NO_LEAK ? KIND_GOOD : KIND_OTHER;
}

// Returns the most important kind. A run of a job has the job's kind.
static enum kind
kind_of_all(const struct report *report)
{
	enum kind kind = KIND_GOOD, of;

	for (size_t i = 0; i < report->count; i++) {
		of = report->processes[i].job ? KIND_GOOD : kind_of(&report->processes[i]);
		kind = of < kind ? of : kind;
	}
	for (size_t i = 0; i < report->jobs->count; i++) {
		of = kind_of_job(&report->jobs->jobs[i]);
		kind = of < kind ? of : kind;
	}
	return kind;
}

// Writes a leak as `[place, where, rate, growth, since, processes]`. The place is null for mapped memory and
// for {rest}: the page has no source for them.
static void
write_leak(FILE *to, const struct report_line *line, const char *where, struct grouping *places)
{
	char since[LEAKS_TEXT];

	if (line->row.is_mapped || line->row.kind != SOURCE_STACK)
		fputs("[null,", to);
	else
		fprintf(to, "[%zu,", grouping_number(places, &line->row, NULL));
	data_text(to, where);
	fprintf(to, ",%.3f,%.0f,", fmax(line->rate, 0), line->growth);
	data_text(to, leaks_since_text(line->process, since, line->since, line->from_start));
	fprintf(to, ",%zu]", line->processes);
}

static void
write_leaks(FILE *to, const struct report_line *lines, size_t count, struct grouping *places)
{
	char **texts = disambiguate(lines, sizeof(*lines), count);
	fputs(",\n\"leaks\":[", to);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", to);
		write_leak(to, &lines[i], texts[i], places);
		free(texts[i]);
	}
	fputc(']', to);
	free(texts);
}

void
answer_write_run(FILE *to, const struct report_process *process, struct grouping *places)
{
	struct report_line *lines = memory_get(process->standing, sizeof(*lines));

	for (size_t i = 0; i < process->standing; i++) {
		const struct report_finding *finding = &process->findings[i];
		lines[i] = (struct report_line){.row = finding->row, .rate = finding->rate,
			.growth = finding->growth, .processes = 1, .process = process, .since = finding->since,
			.from_start = finding->or_earlier || finding->since <= process->first};
	}
	data_member(to, "kind", kind_words[kind_of(process)]);
	write_leaks(to, lines, process->standing, places);
	free(lines);
}

// Returns the process's answer in one line. The caller frees the text.
static char *
text_of(const struct report_process *process)
{
	const struct leaks_style style = {.min_time = LEAKS_MIN_TIME, .is_bare = true};
	struct compose text;

	if (process->standing > 0)
		return row_text(&process->findings[0].row);
	compose_begin(&text);
	if (process->severity == SEVERITY_REMARK)
		leaks_text_remark(text.to, process, process->word.verdict, true);
	else
		leaks_text_lines(text.to, process, &style);
	char *lines = compose_end(&text);
	lines[strcspn(lines, "\n")] = '\0';
	return lines;
}

static int64_t
lasted(const struct collected *of)
{
	size_t count = of->moment_count;
	int64_t end = count ? of->moments[count - 1].known->summary.time_ms : 0;
	int64_t start = of->run->start_ms ? of->run->start_ms
		: count ? of->moments[0].known->summary.time_ms : 0;
	return end > start ? end - start : 0;
}

// Returns the order of two processes in the table: by kind, then by rate, then by live memory.
static int
by_weight(const void *left, const void *right)
{
	const struct collected *a = *(struct collected *const *)left;
	const struct collected *b = *(struct collected *const *)right;
	enum kind of_a = kind_of(&a->report), of_b = kind_of(&b->report);

	if (of_a != of_b)
		return of_a < of_b ? -1 : 1;
	if (a->report.rate != b->report.rate)
		return a->report.rate > b->report.rate ? -1 : 1;
	if (a->report.live != b->report.live)
		return a->report.live > b->report.live ? -1 : 1;
	return (a > b) - (a < b);
}

// Writes a row's cells after the first: job, kind, verdict, place, text. Unknown cells are null.
static void
write_row(FILE *to, const char *job, enum kind kind, enum report_verdict verdict, const struct row *where,
	char *text, struct grouping *places)
{
	if (job)
		data_text(to, job);
	else
		fputs("null", to);
	fprintf(to, ",\"%s\",\"%s\",", kind_words[kind], report_verdict_words[verdict]);
	if (where && !where->is_mapped && where->kind == SOURCE_STACK)
		fprintf(to, "%zu,", grouping_number(places, where, NULL));
	else
		fputs("null,", to);
	data_text(to, text);
	free(text);
}

static void
write_process(FILE *to, const struct collected *of, size_t number, struct grouping *places)
{
	const struct report_process *process = &of->report;
	size_t count = of->moment_count;
	uint64_t live_bytes = count ? of->moments[count - 1].known->summary.total.live : 0;
	char rate[UNIT_TEXT], peak[UNIT_TEXT];

	fprintf(to, "[%zu,", number);
	write_row(to, process->job ? process->program : NULL, kind_of(process), process->word.verdict,
		process->standing > 0 ? &process->findings[0].row : NULL, text_of(process), places);
	fprintf(to, ",\"%s\",\"%s\",\"%s\",\"%s%s\"]",
		process->rate > 0 ? leaks_bytes_text(rate, process->rate) : "", unit_bytes(UNIT_ROOM, live_bytes),
		of->run->peak ? unit_bytes(peak, of->run->peak) : "",
		lasted(of) > 0 ? unit_duration(UNIT_ROOM, lasted(of)) : "", of->run->ended ? ", ended" : "");
}

// Writes the rows of jobs and of processes. The runs of a job follow its row.
static void
write_processes(FILE *to, const struct collection *collection, struct grouping *places)
{
	const struct collected **all = memory_get(collection->count, sizeof(struct collected *));
	const struct report_jobs *jobs = &collection->jobs;
	const char *between = "\n";

	for (size_t i = 0; i < collection->count; i++)
		all[i] = &collection->runs[i];
	qsort(all, collection->count, sizeof(*all), by_weight);
	fputs(",\n\"processes\":[", to);
	for (size_t i = 0; i < jobs->count; i++) {
		const struct report_job *job = &jobs->jobs[i];
		fprintf(to, "%s[null,", between);
		between = ",\n";
		write_row(to, job->program, kind_of_job(job), job->word.verdict,
			job->count ? &job->places[0].row : NULL, job_lines_text(job), places);
		fprintf(to, ",\"\",\"\",\"\",\"\",%zu]", job->runs);
	}
	for (size_t i = 0; i < collection->count; i++) {
		fputs(between, to);
		between = ",\n";
		write_process(to, all[i], (size_t)(all[i] - collection->runs), places);
	}
	fputc(']', to);
	free(all);
}

static void
write_term(FILE *to, const char *between, const char *word, const char *meaning)
{
	fputs(between, to);
	data_text(to, word);
	fputc(':', to);
	data_text(to, meaning);
}

static void
write_terms(FILE *to)
{
	fputs(",\n\"terms\":{", to);
	for (int i = 0; i < REPORT_VERDICTS; i++)
		write_term(to, i ? ",\n" : "\n", report_verdict_words[i], verdicts[i]);
	for (int i = 0; i < VERDICTS; i++)
		if (i != VERDICT_LEAKS) // the first element of `verdicts` has this word
			write_term(to, ",\n", verdict_words[i], trends[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		write_term(to, ",\n", others[i][0], others[i][1]);
	fputs("},\n\"keys\":{", to);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		write_term(to, i ? ",\n" : "\n", keys[i][0], keys[i][1]);
	fputc('}', to);
}

void
answer_write(FILE *to, const struct collection *collection, struct grouping *places)
{
	size_t count, runs = 0;
	struct report_line *lines = lines_sum(&collection->report, GROUPING_BY_PLACE, true, &count);

	for (size_t i = 0; i < collection->report.count; i++)
		runs += collection->report.processes[i].job != 0;
	fprintf(to, ",\n\"are_jobs\":%d", runs == collection->report.count);
	data_member(to, "kind", kind_words[kind_of_all(&collection->report)]);
	write_leaks(to, lines, count, places);
	free(lines);
	write_processes(to, collection, places);
	write_terms(to);
}
