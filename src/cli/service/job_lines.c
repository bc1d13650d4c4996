// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/term.h"
#include "base/unit.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "service/job_lines.h"
#include "service/programs.h"

enum { MOST = 10 }; // programs with a line; further programs are only counted

// Prints "200 of 200 runs leave 1.0 MiB to 3.5 MiB in load rotate.c:7 < main".
static void
print_place(FILE *to, const struct report_job *job, const struct report_job_place *place)
{
	char lowest[UNIT_TEXT], highest[UNIT_TEXT];
	char *part = row_text_cut(&place->row, ROW_TEXT_IN_LINE);

	leaks_bytes_text(lowest, place->lowest);
	leaks_bytes_text(highest, place->highest);
	fprintf(to, "%zu of %zu runs leave%s %s", place->count, job->runs,
		place->count == 1 ? "s" : "", lowest);
	if (strcmp(lowest, highest) != 0)
		fprintf(to, " to %s", highest);
	fprintf(to, place->count > 1 && strcmp(lowest, highest) == 0 ? " each in %s" : " in %s", part);
	free(part);
}

static void
print_text(FILE *to, const struct report_job *job, const struct report_job_place *place, bool all)
{
	char rate[UNIT_TEXT];

	print_place(to, job, place);
	if (place->word.verdict == REPORT_LEAKS && all)
		fprintf(to, "; %s more per MiB allocated",
			leaks_bytes_text(rate, place->rate * (1 << 20)));
	else if (place->word.verdict != REPORT_LEAKS)
		fprintf(to, ": %s", place->word.detail);
}

static void
print_line(FILE *to, const struct report_job *job, size_t number, bool all)
{
	const struct report_job_place *place = &job->places[number];
	enum report_verdict verdict = place->word.verdict;
	size_t more = 0;

	fprintf(to, "%s%s%s: %s: ", term_style(verdict == REPORT_LEAKS ? STYLE_RED
		: verdict == REPORT_NO_LEAK ? STYLE_PLAIN : STYLE_YELLOW), report_verdict_words[verdict],
		term_style(STYLE_PLAIN), job->program);
	print_text(to, job, place, all);
	// Without `all`, only places that leak are printed.
	for (size_t i = 0; !all && i < job->count; i++)
		more += i != number && job->places[i].word.verdict != REPORT_NO_LEAK;
	if (more > 0)
		fprintf(to, "; %zu more place%s (-v)", more, more > 1 ? "s" : "");
	fputc('\n', to);
}

char *
job_lines_text(const struct report_job *job)
{
	struct compose text;

	compose_begin(&text);
	if (job->count > 0)
		print_text(text.to, job, &job->places[0], false);
	else
		fprintf(text.to, "none of %zu runs leaves memory", job->runs);
	return compose_end(&text);
}

// Prints "no leak: none of 40 runs leaves 1.00 KiB in any place: 20 rotate_ok, 20 sort".
static void
print_others(FILE *to, const struct report_jobs *jobs)
{
	struct programs programs = {0};
	char least[UNIT_TEXT];

	for (size_t i = 0; i < jobs->count; i++)
		for (size_t run = 0; jobs->jobs[i].count == 0 && run < jobs->jobs[i].runs; run++)
			programs_add(&programs, jobs->jobs[i].program, 0);
	if (programs.count == 0)
		return;
	fprintf(to, "no leak%s: none of %zu runs leaves %s in any place: ",
		jobs->is_part ? " of what was asked for" : "", programs.processes,
		leaks_bytes_text(least, jobs->least));
	programs_print(to, &programs);
	fputc('\n', to);
}

void
job_lines_print(FILE *to, const struct report_jobs *jobs, enum job_lines which, bool all)
{
	size_t count = 0, hidden = 0;

	for (size_t i = 0; jobs && i < jobs->count; i++) {
		const struct report_job *job = &jobs->jobs[i];
		count += job->count > 0;
		bool is_shown = count <= MOST || all;
		if (job->count == 0 || (job->word.verdict == REPORT_LEAKS) != (which == JOBS_THAT_LEAK))
			continue;
		hidden += !is_shown;
		for (size_t k = 0; is_shown && k < (all ? job->count : 1); k++)
			print_line(to, job, k, all);
	}
	if (hidden > 0)
		fprintf(to, "%zu more program%s %s%s%s (-v)\n", hidden, hidden > 1 ? "s" : "",
			which == JOBS_THAT_LEAK ? "leak" : "leave", hidden > 1 ? "" : "s",
			which == JOBS_THAT_LEAK ? "" : " memory");
	if (jobs && which == JOBS_OTHER)
		print_others(to, jobs);
}
