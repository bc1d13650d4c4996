// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/plain.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "render/junit.h"
#include "report/jobs.h"

struct suite {
	struct compose cases;
	const struct failure_limits *limits;
	size_t tests, failures, errors, skipped;
};

// Writes one line. XML 1.0 has no place for control characters and two others, not even escaped. So they
// become \xHH, as in the log.
static void
put(FILE *to, const char *line)
{
	for (const char *at = utf8_plain(line); *at; at++) {
		if (strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0) {
			fprintf(to, "\\xef\\xbf\\x%02x", (unsigned char)at[2]);
			at += 2;
		} else if (strchr("&<>\"", *at)) {
			fprintf(to, "&#%d;", *at);
		} else {
			fputc(*at, to);
		}
	}
}

// Writes a text of several lines, or its first line alone.
static void
put_lines(FILE *to, const char *text, bool only_first)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *line = memory_text(text, length);
		put(to, line);
		free(line);
		text += length;
		if (only_first)
			return;
		if (*text == '\n')
			fputc(*text++, to);
	}
}

static const char *
element_of(const struct suite *suite, const struct report_word *word, int fails)
{
	bool is_leak = word->verdict == REPORT_LEAKS || word->verdict == REPORT_KEPT
		|| word->verdict == REPORT_OUTSIDE;

	if (fails == EXIT_UNJUDGED)
		return "error";
	if (failure_is_asked(suite->limits) ? fails != 0 : is_leak)
		return "failure";
	return report_is_unjudged(word) ? "skipped" : NULL;
}

// Writes a test case, whose name is freed. Without an element it passes.
static void
add_case(struct suite *suite, const char *program, char *name, double seconds, const char *element,
	const struct report_word *word, const char *text)
{
	FILE *to = suite->cases.to;
	bool is_skipped = element && strcmp(element, "skipped") == 0;
	bool is_error = element && strcmp(element, "error") == 0;

	suite->tests++;
	suite->skipped += is_skipped;
	suite->errors += is_error;
	suite->failures += element && !is_skipped && !is_error;
	fputs("  <testcase classname=\"", to);
	put(to, program);
	fputs("\" name=\"", to);
	put(to, name);
	fprintf(to, "\" time=\"%.3f\">\n", seconds);
	if (element) {
		fprintf(to, "   <%s message=\"", element);
		put_lines(to, text, true);
		if (!is_skipped)
			fprintf(to, "\" type=\"%s", report_verdict_words[word->verdict]);
		fputs("\">", to);
		if (!is_skipped)
			put_lines(to, text, false);
		fprintf(to, "</%s>\n", element);
	}
	if (!element || is_skipped) {
		fputs("   <system-out>", to);
		put_lines(to, text, false);
		fputs("</system-out>\n", to);
	}
	fputs("  </testcase>\n", to);
	free(name);
}

static void
add_process(struct suite *suite, const struct report_process *process)
{
	double seconds = process->has_times ? (double)(process->last - process->first) / 1000 : 0;
	char *name = process->pid ? memory_format("%s (process %ld)", process->command, process->pid)
		: memory_format("%s", process->command);

	add_case(suite, process->program, name, seconds,
		element_of(suite, &process->word, process->fails), &process->word, process->text);
}

static void
add_job(struct suite *suite, const struct report_job *job)
{
	struct compose text;
	char lowest[UNIT_TEXT], highest[UNIT_TEXT];

	compose_begin(&text);
	fprintf(text.to, "%s: %s, %zu runs", report_verdict_words[job->word.verdict], job->program, job->runs);
	for (size_t i = 0; i < job->count; i++) {
		const struct report_job_place *place = &job->places[i];
		char *where = row_text(&place->row);
		fprintf(text.to, "\n%s: %zu runs leave %s to %s, %s", report_verdict_words[place->word.verdict],
			place->count, leaks_bytes_text(lowest, place->lowest),
			leaks_bytes_text(highest, place->highest), where);
		if (place->word.verdict != REPORT_LEAKS && place->word.detail)
			fprintf(text.to, ": %s", place->word.detail);
		free(where);
	}
	fputc('\n', text.to);
	char *said = compose_end(&text);
	add_case(suite, job->program, memory_format("%s (%zu runs)", job->program, job->runs), 0,
		element_of(suite, &job->word, failure_of_job(job, suite->limits)), &job->word, said);
	free(said);
}

static void
add_sum(struct suite *suite, const struct report *report)
{
	static const struct report_word leaks = {REPORT_LEAKS, "leaks"};
	char rate[UNIT_TEXT];
	char *said = memory_format("all processes together leak %s an hour\n",
		leaks_bytes_text(rate, failure_rate_of_all(report, suite->limits)));

	add_case(suite, "pmem", memory_format("all processes"), 0,
		failure_of_sum(report, suite->limits) ? "failure" : NULL, &leaks, said);
	free(said);
}

void
junit_print(FILE *to, const struct report *report, const struct failure_limits *limits)
{
	struct suite suite = {.limits = limits};

	compose_begin(&suite.cases);
	for (size_t i = 0; i < report->count; i++)
		if (report->processes[i].job == 0)
			add_process(&suite, &report->processes[i]);
	for (size_t i = 0; report->jobs && i < report->jobs->count; i++)
		add_job(&suite, &report->jobs->jobs[i]);
	if (limits->leaks_of_all != UINT64_MAX)
		add_sum(&suite, report);
	char *cases = compose_end(&suite.cases);
	fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"pmem leaks\" "
		"tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n%s </testsuite>\n</testsuites>\n",
		suite.tests, suite.failures, suite.errors, suite.skipped, cases);
	free(cases);
}
