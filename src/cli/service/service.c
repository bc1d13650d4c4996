// SPDX-License-Identifier: BSD-2-Clause
// The answers are sorted by what the processes leak, which is known only when all have been judged.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/run.h"
#include "trend/findings.h"
#include "trend/history.h"
#include "print/leaks_words.h"
#include "print/table.h"
#include "service/programs.h"
#include "service/service.h"
#include "service/severity.h"
#include "service/shared.h"

struct answer {
	char *text;
	char *name; // the program's name
	char *line; // the command line if it has arguments, else `name`
	long pid;
	enum severity severity;
	bool is_beginning; // true if this may be the first log of a run that goes on in another log
	const char *word; // the result for the process in one word (severity_word())
	double rate; // rate at which all leaks together grow, in bytes an hour
	double held; // the part of `rate` that is of leaks that the process freed as it ended
	double growth; // bytes by which live and mapped memory has grown since the first snapshot
	double live, rss; // 0 if not known
	uint64_t run; // the run's id; 0 if not known
	bool fails, is_left_out;
	// how many sources were judged, and how many --match and the like left out
	size_t asked_for, left_out;
	size_t number;
};

static struct {
	struct service_style style;
	struct answer *answers;
	size_t count, room;
} service;

void
service_open(const struct service_style *style)
{
	service.style = *style;
	shared_open(style->grouping, !style->is_release);
}

static void
add_leak(const struct finding *finding, const struct history *history,
	const struct history_span *span)
{
	struct row row = leaks_row(history, finding);

	ASSERT(verdict_is_leak(finding->trend.verdict) && finding->standing == STANDS);
	shared_add(&row, service.count, history_rate(span, finding->trend.slope),
		finding->trend.growth);
}

void
service_add(const struct run *run, const struct findings *findings, struct history *history,
	bool fails, char *text)
{
	struct trend_point points[TREND_MAX];
	struct history_span span = history_span(history);
	struct answer answer = {.text = text, .number = service.count, .pid = run->pid,
		.severity = severity_of(run, findings, &span, service.style.min_time)};

	const char *name = run->name[0] ? run->name : run->exe[0] ? path_last(run->exe) : "?";
	answer.name = glyph_clean(memory_text(name, strlen(name)));
	const char *line = strchr(run->command, ' ') ? run->command : name;
	answer.line = memory_text(line, strlen(line));
	answer.run = run->id;
	answer.is_beginning = answer.severity == SEVERITY_SHORT
		|| (answer.severity == SEVERITY_NONE
			&& severity_is_brief(&span, service.style.min_time));
	answer.word = severity_word(findings, &span, answer.severity, service.style.min_time);
	answer.fails = fails;
	answer.asked_for = findings->count;
	answer.left_out = findings->left_out;
	answer.live = history_gauge_last(history, GAUGE_BLOCKS);
	answer.rss = history_gauge_last(history, GAUGE_RSS);
	if (history_gauge(history, GAUGE_LIVE, points) > 0)
		answer.growth = history_gauge_last(history, GAUGE_LIVE) - points[0].floor;
	for (size_t i = 0; span.has_times && i < findings->leaks[STANDS].count; i++)
		add_leak(&findings->sources[i], history, &span);
	if (span.has_times)
		answer.rate = history_rate(&span, findings->leaks[STANDS].slope);
	if (span.has_times)
		answer.held = history_rate(&span, findings->leaks[STANDS].held_slope);
	service.answers = memory_grow(service.answers, service.count, &service.room,
		sizeof(*service.answers));
	service.answers[service.count++] = answer;
}

static int
by_severity(const void *left, const void *right)
{
	const struct answer *a = left, *b = right;

	if (a->severity != b->severity
			&& (a->severity == SEVERITY_LEAKS || b->severity == SEVERITY_LEAKS))
		return a->severity < b->severity ? -1 : 1;
	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void
free_answer(struct answer *answer)
{
	free(answer->text);
	free(answer->name);
	free(answer->line);
}

// Returns true if the log has only the beginning of a run that goes on in another log. This happens
// if the process changes its user, and may then no longer write to the first log's folder. The
// first log is mostly short. It must not be counted as a process of its own.
static bool
is_beginning(const struct answer *of)
{
	bool goes_on = false;

	for (size_t i = 0; of->is_beginning && of->run && i < service.count; i++)
		goes_on |= service.answers[i].run == of->run
			&& (!service.answers[i].is_beginning || service.answers[i].number < of->number);
	return goes_on;
}

// Removes the answers of logs for which is_beginning() is true. Further calls change nothing.
static void
settle(void)
{
	size_t left = 0;

	for (size_t i = 0; i < service.count; i++)
		service.answers[i].is_left_out = is_beginning(&service.answers[i]);
	for (size_t i = 0; i < service.count; i++) {
		if (!service.answers[i].is_left_out) {
			service.answers[left++] = service.answers[i];
			continue;
		}
		shared_leave_out(service.answers[i].number);
		free_answer(&service.answers[i]);
	}
	service.count = left;
}

bool
service_fails(void)
{
	bool fails = false;

	settle();
	for (size_t i = 0; i < service.count; i++)
		fails |= service.answers[i].fails;
	return fails;
}

double
service_rate(bool lost)
{
	double rate = 0;

	settle();
	for (size_t i = 0; i < service.count; i++)
		rate += service.answers[i].rate - (lost ? service.answers[i].held : 0);
	return rate;
}

static size_t
count_of(enum severity severity)
{
	size_t count = 0;
	for (size_t i = 0; i < service.count; i++)
		count += service.answers[i].severity == severity;
	return count;
}

static void
print_more(FILE *to, size_t count, const char *one, const char *several)
{
	if (count > service.style.most)
		fprintf(to, "and %zu more %s\n", count - (size_t)service.style.most,
			count - service.style.most > 1 ? several : one);
}

// Prints "6 of 41 processes leak 728 MiB an hour in all". Returns false if none leaks.
static bool
print_sum(FILE *to)
{
	size_t leaking = count_of(SEVERITY_LEAKS);
	char rate[UNIT_TEXT];
	if (leaking > 0)
		fprintf(to, "%s%zu of %zu processes leak%s %s an hour in all%s\n", term_style(STYLE_RED),
			leaking, service.count, leaking > 1 ? "" : "s",
			leaks_bytes_text(rate, service_rate(false)), term_style(STYLE_PLAIN));
	return leaking > 0;
}

// Prints what print_sum() prints, and a table of the sources that leak in several processes.
static void
print_leaks(FILE *to)
{
	if (!print_sum(to))
		return;
	if (shared_is_any()) {
		fputc('\n', to);
		print_more(to, shared_print(to, service.style.most, service.count), "source", "sources");
	}
	fputc('\n', to);
}

static int
by_growth(const void *left, const void *right)
{
	const struct answer *a = left, *b = right;

	if (a->rate != b->rate)
		return a->rate > b->rate ? -1 : 1;
	if (a->growth != b->growth)
		return a->growth > b->growth ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

// For --by process: the processes that leak are first, then those whose memory has grown most.
static void
print_processes(FILE *to)
{
	static const struct column columns[] = {
		{"verdict", false}, {"an hour", false}, {"growth", false}, {"live", true},
		{"resident", true}, {"process", false}, {"command", false},
	};
	char rate[UNIT_TEXT], growth[UNIT_TEXT], live[UNIT_TEXT], rss[UNIT_TEXT], pid[UNIT_TEXT];

	qsort(service.answers, service.count, sizeof(*service.answers), by_growth);
	struct text_table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < service.count && i < service.style.most; i++) {
		const struct answer *answer = &service.answers[i];
		snprintf(pid, sizeof(pid), "%ld", answer->pid);
		const char *cells[] = {
			answer->word,
			answer->rate > 0 ? leaks_bytes_text(rate, answer->rate) : "-",
			unit_signed_bytes(growth, llround(answer->growth)),
			leaks_bytes_text(live, answer->live),
			answer->rss > 0 ? leaks_bytes_text(rss, answer->rss) : "-",
			answer->pid ? pid : "?",
			answer->line,
		};
		table_add(table, STYLE_PLAIN, cells);
	}
	table_print(to, table);
	print_more(to, service.count, "process", "processes");
}

// Prints "nothing leaks in 35 processes: 20 nginx, 14 postgres, redis-server 4711 (--all)".
static void
print_folded(FILE *to, enum severity severity, const char *what, const char *behind)
{
	struct programs programs = {0};

	for (size_t i = 0; i < service.count; i++)
		if (service.answers[i].severity == severity)
			programs_add(&programs, service.answers[i].name, service.answers[i].pid);
	if (programs.count == 0)
		return;
	fprintf(to, "%s%zu process%s: ", what, programs.processes, programs.processes > 1 ? "es" : "");
	programs_print(to, &programs);
	fprintf(to, "%s\n", behind);
}

// Sums the numbers of sources over all processes. Returns false if no source was left out.
static bool
sum_asked_for(size_t *asked_for, size_t *of)
{
	*asked_for = *of = 0;
	for (size_t i = 0; i < service.count; i++) {
		*asked_for += service.answers[i].asked_for;
		*of += service.answers[i].asked_for + service.answers[i].left_out;
	}
	return *asked_for < *of;
}

// If --match and the like left sources out, says so. Otherwise a filter that matches nothing would
// read like a program that leaks nothing.
static void
print_asked_for(FILE *to)
{
	size_t asked_for, of;

	if (sum_asked_for(&asked_for, &of))
		fprintf(to, "asked for: %zu of %zu sources in %zu processes (--match, --not, --thread)\n",
			asked_for, of, service.count);
}

static void
print_answers(FILE *to)
{
	bool folds = service.count > 1 && !service.style.all, is_next = false;
	size_t asked_for, of;

	if (service.count > 1)
		qsort(service.answers, service.count, sizeof(*service.answers), by_severity);
	for (size_t i = 0; i < service.count; i++) {
		if (folds && service.answers[i].severity >= SEVERITY_SHORT)
			continue;
		if (is_next)
			fputc('\n', to);
		is_next = true;
		fputs(service.answers[i].text, to);
	}
	if (folds && is_next && count_of(SEVERITY_SHORT) + count_of(SEVERITY_NONE) > 0)
		fputc('\n', to);
	if (folds) {
		print_folded(to, SEVERITY_NONE, sum_asked_for(&asked_for, &of)
			? "nothing leaks of what was asked for in " : "nothing leaks in ", " (--all)");
		print_folded(to, SEVERITY_SHORT, "too little to tell of ", " (--all)");
	}
}

void
service_print_words(FILE *to)
{
	settle();
	print_sum(to);
	print_folded(to, SEVERITY_REMARK, "something is to be said of ", "");
	print_folded(to, SEVERITY_NONE, "nothing leaks in ", "");
	print_folded(to, SEVERITY_SHORT, "too little to tell of ", "");
}

void
service_print(FILE *to)
{
	settle();
	if (service.count > 1)
		print_leaks(to);
	if (service.style.by_process && service.count > 0)
		print_processes(to);
	else
		print_answers(to);
	if (service.count > 1)
		print_asked_for(to);
	for (size_t i = 0; i < service.count; i++)
		free_answer(&service.answers[i]);
	free(service.answers);
	shared_close();
}
