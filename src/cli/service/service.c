// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "print/disambiguate.h"
#include "print/leaks_words.h"
#include "print/table.h"
#include "report/lines.h"
#include "service/job_lines.h"
#include "service/remarks.h"
#include "service/programs.h"
#include "service/service.h"
#include "service/totals.h"
#include "service/who_runs.h"

enum { USUAL_WIDTH = 80 }; // a narrower terminal has no room for the end of processes

// Orders by log, in the order in which the processes were added.
static int
by_place(const struct report_process *a, const struct report_process *b)
{
	return (a->number > b->number) - (a->number < b->number);
}

static double
hourly(const struct report_process *process)
{
	return process->has_times ? process->rate : 0;
}

static int
by_severity(const void *left, const void *right)
{
	const struct report_process *a = left, *b = right;

	if (a->severity != b->severity
			&& (a->severity == SEVERITY_LEAKS || b->severity == SEVERITY_LEAKS))
		return a->severity < b->severity ? -1 : 1;
	if (hourly(a) != hourly(b))
		return hourly(a) > hourly(b) ? -1 : 1;
	return by_place(a, b);
}

static int
by_growth(const void *left, const void *right)
{
	const struct report_process *a = left, *b = right;

	if (hourly(a) != hourly(b))
		return hourly(a) > hourly(b) ? -1 : 1;
	if (a->growth != b->growth)
		return a->growth > b->growth ? -1 : 1;
	return by_place(a, b);
}

static void
print_more(FILE *to, size_t shown, size_t count, const char *one, const char *several)
{
	if (count > shown)
		fprintf(to, "and %zu more %s\n", count - shown, count - shown > 1 ? several : one);
}

static bool
needs_words(const struct report_process *process)
{
	return process->severity < SEVERITY_SHORT && process->job == 0;
}

// Returns the number of lines of processes that do not surely leak, but need attention. With `to`, prints
// "; 3 too early, 2 also outside, 1 only outside". "also": the process leaks, too.
static size_t
print_counts(FILE *to, const struct report *report)
{
	size_t sum = 0;

	for (enum report_verdict i = REPORT_EARLY; i < REPORT_NO_LEAK; i++) {
		size_t count = 0, also = 0;
		for (size_t k = 0; k < report->count; k++) {
			bool is_leak = report->processes[k].severity == SEVERITY_LEAKS;
			bool has = remarks_has(&report->processes[k], i);
			count += has && !is_leak;
			also += has && is_leak && i == REPORT_OUTSIDE;
		}
		if (also > 0 && to)
			fprintf(to, "%s%zu also %s", sum > 0 ? ", " : "; ", also, report_verdict_words[i]);
		if (count > 0 && to)
			fprintf(to, "%s%zu %s%s", sum + also > 0 ? ", " : "; ", count, also > 0 ? "only " : "",
				report_verdict_words[i]);
		sum += count + also;
	}
	return sum;
}

static size_t
leaking_jobs(const struct report *report)
{
	size_t count = 0;

	for (size_t i = 0; report->jobs && i < report->jobs->count; i++)
		count += report->jobs->jobs[i].word.verdict == REPORT_LEAKS;
	return count;
}

// Returns the number of processes that are no runs of jobs.
static size_t
count_processes(const struct report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++)
		count += report->processes[i].job == 0;
	return count;
}

// Prints ", 99.9% sure", or of several leaks ", each 99.9% sure", or the range: ", 97.2% to 99.9% sure".
static void
print_sure(FILE *to, const struct report *report)
{
	double least = 1, most = 0;
	char low[UNIT_TEXT], high[UNIT_TEXT];
	size_t leaks = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		leaks += process->standing;
		for (size_t k = 0; k < process->standing; k++) {
			least = fmin(least, process->findings[k].confidence);
			most = fmax(most, process->findings[k].confidence);
		}
	}
	fprintf(to, leaks > 1 && least >= most ? ", each %s" : ", %s", leaks_sure_text(low, least));
	fprintf(to, least < most ? " to %s sure" : " sure", leaks_sure_text(high, most));
}

// Prints "6 of 41 processes leak 728 MiB an hour in all; 3 too early; 1 of 8 jobs leaks". Prints nothing if
// no process needs attention, or if all of them are runs of one job.
static void
print_sum(FILE *to, const struct report *report)
{
	size_t leaking = report_count(report, SEVERITY_LEAKS), processes = count_processes(report);
	size_t jobs = leaking_jobs(report);
	bool is_highest;
	double sum = report_rate(report, false, &is_highest);
	char rate[UNIT_TEXT];

	if (leaking + print_counts(NULL, report) + jobs == 0 || (processes == 0 && report->jobs->count == 1))
		return;
	if (leaking > 0)
		fprintf(to, "%s%zu of %zu process%s leak%s", term_style(STYLE_RED), leaking, processes,
			processes > 1 ? "es" : "", leaking > 1 ? "" : "s");
	else if (processes > 0)
		fprintf(to, "none of %zu process%s surely leaks", processes, processes > 1 ? "es" : "");
	if (leaking > 0 && sum > 0)
		fprintf(to, is_highest ? " up to %s an hour at one time" : " %s an hour in all",
			leaks_bytes_text(rate, sum));
	if (leaking > 0)
		print_sure(to, report);
	fputs(term_style(STYLE_PLAIN), to);
	print_counts(to, report);
	if (jobs > 0)
		fprintf(to, report->jobs->count > 1 ? "%s%zu of %zu jobs leak%s" : "%s1 job leaks",
			processes > 0 ? "; " : "", jobs, report->jobs->count, jobs > 1 ? "" : "s");
	fputc('\n', to);
	who_runs_print(to, report);
}

// Writes when the last of the line's processes ended: "17:13Z", or "~17:13Z" if only the time of its last
// snapshot is known. Writes "freed" if the memory was freed at the end. Writes "1 runs" if the other
// processes have ended, and "" if all run.
static char *
until_text(char text[UNIT_TEXT], const struct report_line *line, int64_t last)
{
	size_t run = line->processes - line->over;

	text[0] = '\0';
	if (line->is_kept)
		snprintf(text, UNIT_TEXT, "freed");
	else if (run > 0 && line->over > 0)
		snprintf(text, UNIT_TEXT, "%zu run%s", run, run > 1 ? "" : "s");
	else if (line->over > 0 && line->heard > 0)
		leaks_minute_text(text + (line->ended < line->processes), line->heard, last);
	if (text[0] == '\0' && line->over == line->processes && line->heard > 0)
		text[0] = '~';
	return text;
}

static void
print_lines(FILE *to, const struct report_line *lines, size_t shown, int64_t last)
{
	bool is_narrow = term_width() > 0 && term_width() < USUAL_WIDTH, differ = false;

	for (size_t i = 0; i < shown; i++) {
		differ |= lines[i].confidence != lines[0].confidence;
		is_narrow &= !lines[i].is_kept;
	}
	const struct column columns[] = {
		{"an hour", false}, {"sure", true}, {"resident", true}, {"growth", true}, {"since", false},
		{"until", is_narrow}, {"process", false}, {"where", false},
	};
	char rate[UNIT_TEXT], resident[UNIT_TEXT], growth[UNIT_TEXT], since[LEAKS_TEXT], until[UNIT_TEXT];
	char sure[UNIT_TEXT];
	char **texts = disambiguate(lines, sizeof(*lines), shown);
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < shown; i++) {
		char *process = programs_of_line(&lines[i]), *first = texts[i];
		if (lines[i].functions > 1)
			texts[i] = memory_format("%zu functions of %s: %s", lines[i].functions,
				lines[i].interpreter, first);
		leaks_since_text(lines[i].process, since, lines[i].since, lines[i].from_start);
		const char *cells[] = {leaks_bytes_text(rate, lines[i].rate),
			differ ? leaks_sure_text(sure, lines[i].confidence) : "",
			lines[i].resident > 0 ? leaks_bytes_text(resident, lines[i].resident) : "",
			leaks_bytes_text(growth, lines[i].growth), since, until_text(until, &lines[i], last), process,
			texts[i]};
		table_add(table, STYLE_PLAIN, cells);
		free(process);
		free(texts[i] != first ? texts[i] : NULL);
		free(first);
	}
	table_print(to, table);
	free(texts);
}

// Prints the table of leaks, a row for each line of source code.
static void
print_leaks(FILE *to, const struct report *report, const struct service_style *style)
{
	size_t count;
	struct report_line *lines = lines_sum(report, style->grouping, !style->is_release, &count);

	count = style->is_verbose ? count : lines_fold(lines, count);
	// A process's second line is left out below this rate.
	double least = style->is_verbose || style->has_number ? 0 : 0.01 * report_rate(report, false, NULL);
	size_t shown = lines_choose(lines, count, (size_t)style->most, least);
	if (count > 0) {
		fputc('\n', to);
		print_lines(to, lines, shown, who_runs_last(report));
		print_more(to, shown, count, "source", "sources");
		totals_print(to, report, lines, count, style->is_verbose);
		fputc('\n', to);
	}
	free(lines);
}

// Returns the verdict's word, with the reason if the process was not judged. For REPORT_OUTSIDE, returns
// the reason alone. The caller frees it.
static char *
verdict_text(const struct report_word *word)
{
	if (word->verdict == REPORT_NOT_JUDGED)
		return memory_format("%s: %s", report_verdict_words[word->verdict], word->detail);
	return memory_format("%s", word->verdict == REPORT_OUTSIDE ? word->detail
		: report_verdict_words[word->verdict]);
}

// For --by process: orders processes that leak first, then by the growth of their memory.
static void
print_processes(FILE *to, struct report *report, const struct service_style *style)
{
	static const struct column columns[] = {
		{"verdict", false}, {"an hour", false}, {"growth", false}, {"live", true},
		{"resident", true}, {"process", false}, {"command", false},
	};
	char rate[UNIT_TEXT], growth[UNIT_TEXT], live[UNIT_TEXT], rss[UNIT_TEXT], pid[UNIT_TEXT];

	memory_sort(report->processes, report->count, sizeof(*report->processes), by_growth);
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < report->count && i < style->most; i++) {
		const struct report_process *process = &report->processes[i];
		snprintf(pid, sizeof(pid), "%ld", process->pid);
		char *verdict = verdict_text(&process->word);
		const char *cells[] = {
			verdict,
			hourly(process) > 0 ? leaks_bytes_text(rate, process->rate) : "-",
			unit_signed_bytes(growth, llround(process->growth)),
			leaks_bytes_text(live, process->live),
			process->rss > 0 ? leaks_bytes_text(rss, process->rss) : "-",
			process->pid ? pid : "?",
			process->command,
		};
		table_add(table, STYLE_PLAIN, cells);
		free(verdict);
	}
	table_print(to, table);
	print_more(to, (size_t)style->most, report->count, "process", "processes");
}

// Sums the numbers of sources over all processes. Returns false if no source was left out.
static bool
sum_asked_for(const struct report *report, size_t *asked_for, size_t *of)
{
	*asked_for = *of = 0;
	for (size_t i = 0; i < report->count; i++) {
		*asked_for += report->processes[i].judged;
		*of += report->processes[i].judged + report->processes[i].left_out;
	}
	return *asked_for < *of;
}

// Says how many sources a filter such as --match left out. Otherwise a filter that matches nothing would
// look like a program without leaks.
static void
print_asked_for(FILE *to, const struct report *report)
{
	size_t asked_for, of;

	if (sum_asked_for(report, &asked_for, &of))
		fprintf(to, "asked for: %zu of %zu sources in %zu processes (--match, --not, --thread)\n",
			asked_for, of, report->count);
}

// Prints the answers of single processes. Without --all, those with nothing to report are left out.
static void
print_answers(FILE *to, struct report *report, const struct service_style *style)
{
	bool is_next = false;

	memory_sort(report->processes, report->count, sizeof(*report->processes), by_severity);
	for (size_t i = 0; i < report->count; i++) {
		if (report->count > 1 && !style->all && !needs_words(&report->processes[i]))
			continue;
		if (is_next)
			fputc('\n', to);
		is_next = true;
		fputs(report->processes[i].text, to);
	}
}

// Prints the whole answer for many processes, which fits a screen.
static void
print_screen(FILE *to, struct report *report, const struct service_style *style)
{
	static const enum report_verdict remarks[] = {REPORT_LEAKS, REPORT_OUTSIDE, REPORT_EARLY, REPORT_STOPPED,
		REPORT_NOT_JUDGED, REPORT_NO_LEAK};
	bool is_verbose = style->all || style->is_verbose;
	size_t asked_for, of, notes = 0;

	memory_sort(report->processes, report->count, sizeof(*report->processes), by_severity);
	print_sum(to, report);
	print_leaks(to, report, style);
	job_lines_print(to, report->jobs, JOBS_THAT_LEAK, is_verbose);
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		remarks_print(to, report, remarks[i], is_verbose);
	remarks_print_beside(to, report, is_verbose);
	remarks_print_limit(to, report);
	job_lines_print(to, report->jobs, JOBS_OTHER, is_verbose);
	const char *more = style->all ? "" : " (--all)";
	remarks_print_folded(to, report, SEVERITY_SHORT, "too early to tell of ", more);
	remarks_print_folded(to, report, SEVERITY_NONE, sum_asked_for(report, &asked_for, &of)
		? "nothing leaks of what was asked for in " : "nothing leaks in ", more);
	if (is_verbose)
		return;
	remarks_print_advice(to, report);
	for (size_t i = 0; i < report->count; i++)
		notes += report->processes[i].notes[0] && needs_words(&report->processes[i]);
	if (notes > 0)
		fprintf(to, "%zu of these logs %s notes (-v)\n", notes, notes > 1 ? "have" : "has");
	if (report_count(report, SEVERITY_LEAKS) > 0 && access(report->processes[0].log, R_OK) == 0) {
		char *log = leaks_path_text(report->processes[0].log);
		fprintf(to, "more of the first process: pmem leaks -v %s\n", log);
		free(log);
	}
}

void
service_print_words(FILE *to, const struct report *report)
{
	print_sum(to, report);
	job_lines_print(to, report->jobs, JOBS_THAT_LEAK, false);
	job_lines_print(to, report->jobs, JOBS_OTHER, false);
	remarks_print_folded(to, report, SEVERITY_REMARK, "need attention: ", "");
	remarks_print_folded(to, report, SEVERITY_NONE, "nothing leaks in ", "");
	remarks_print_folded(to, report, SEVERITY_SHORT, "too early to tell of ", "");
}

void
service_print(FILE *to, struct report *report, const struct service_style *style)
{
	bool is_screen = report->count > 1;

	if (style->by_process && report->count > 0) {
		if (is_screen)
			print_sum(to, report);
		print_processes(to, report, style);
	} else if (is_screen) {
		print_screen(to, report, style);
	}
	if (is_screen)
		print_asked_for(to, report);
	if (style->by_process || (is_screen && !style->all && !style->is_verbose))
		return;
	if (is_screen)
		fputc('\n', to);
	print_answers(to, report, style);
}
