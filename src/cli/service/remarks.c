// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <string.h>

#include "base/term.h"
#include "render/leaks_lines.h"
#include "render/leaks_text.h"
#include "service/programs.h"
#include "service/remarks.h"

bool
remarks_has(const struct report_process *process, enum report_verdict verdict)
{
	// The table of what leaks has rates by the hour alone.
	if (process->severity == SEVERITY_LEAKS && verdict == REPORT_LEAKS)
		return !process->has_times;
	// What the program mapped itself is in the table of leaks. Little growth beside these is for -v.
	if (process->severity == SEVERITY_LEAKS)
		return verdict == REPORT_OUTSIDE && process->outside.mapped < process->outside.bytes
			&& process->gauges[GAUGE_OUTSIDE].word.verdict == REPORT_LEAKS
			&& process->gauges[GAUGE_OUTSIDE].rate >= 0.1 * process->rate;
	return process->severity == SEVERITY_REMARK && process->word.verdict == verdict
		&& process->job == 0;
}

static bool
is_past(const struct report_process *process)
{
	return report_is_over(process) || report_is_old(process);
}

static const double long_after = 1e15; // in ms; larger than any moment

static bool
is_of_machine(const struct report_process *process)
{
	return process->limit.is_machine && !report_is_over(process) && !report_is_old(process);
}

// Returns the process with the rate at which its limit comes nearer: that of all `count` processes that run
// and grow, if the limit is the machine's memory.
static struct report_process
together(const struct report *report, const struct report_process *process, size_t *count)
{
	struct report_process all = *process;

	*count = 1;
	for (size_t i = 0; is_of_machine(process) && i < report->count; i++) {
		const struct report_process *other = &report->processes[i];
		if (other == process || !is_of_machine(other) || !(other->limit_rate > 0)
				|| strcmp(other->host, process->host) != 0)
			continue;
		all.limit_rate += other->limit_rate;
		(*count)++;
	}
	return all;
}

// Returns when the process's limit is reached at its rate, or INFINITY. One that nobody knows to run comes
// behind all others.
static double
full_at(const struct report_process *process)
{
	char words[LIMIT_WORDS];
	double ms;

	if (!leaks_limit(process, false, words) || !limit_reached(&process->limit, process->limit_rate, &ms))
		return INFINITY;
	return (double)process->heard + ms + (report_is_old(process) ? long_after : 0);
}

// Prints the process in the middle of a sentence: "puma 1694".
static void
print_name(FILE *to, const struct report_process *process)
{
	fputs(process->name, to);
	if (process->pid)
		fprintf(to, " %ld", process->pid);
}

void
remarks_print_limit(FILE *to, const struct report *report)
{
	struct report_process first = {0};
	const struct report_process *machine = NULL;
	size_t count = 0, of_it;
	char rate[UNIT_TEXT], words[LIMIT_WORDS];

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		if (!(process->limit_rate > 0) || (machine && is_of_machine(process)
				&& strcmp(machine->host, process->host) == 0))
			continue;
		struct report_process all = together(report, process, &of_it);
		machine = is_of_machine(process) ? process : machine;
		if (full_at(&all) >= (count > 0 ? full_at(&first) : INFINITY))
			continue;
		first = all;
		count = of_it;
	}
	if (count == 0 || !leaks_limit(&first, false, words))
		return;
	fprintf(to, "%sfull first%s: ", term_style(STYLE_YELLOW), term_style(STYLE_PLAIN));
	if (count > 1)
		fprintf(to, "%zu processes together", count);
	else
		print_name(to, &first);
	fprintf(to, ": %s an hour, %s\n", leaks_bytes_text(rate, first.limit_rate), words);
}

// Returns by how much more an hour resident memory surely grows than what is told of as a leak, or 0 if that
// is little beside it.
static double
beside_leaks(const struct report_process *process)
{
	static const double much = 1.1, least = 1 << 20;
	const struct report_finding *resident = &process->gauges[GAUGE_RSS];
	bool is_more = process->severity == SEVERITY_LEAKS && process->has_times && process->left_out == 0
		&& !remarks_has(process, REPORT_OUTSIDE)
		&& resident->word.verdict == REPORT_LEAKS && resident->rate_low >= much * process->rate;

	return is_more && resident->rate - process->rate >= least ? resident->rate - process->rate : 0;
}

void
remarks_print_beside(FILE *to, const struct report *report)
{
	const struct report_process *most = NULL;
	char rate[UNIT_TEXT];
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		count += beside_leaks(process) > 0;
		if (beside_leaks(process) > (most ? beside_leaks(most) : 0))
			most = process;
	}
	if (!most)
		return;
	fprintf(to, "%smore than these%s: resident memory of ", term_style(STYLE_YELLOW),
		term_style(STYLE_PLAIN));
	print_name(to, most);
	fprintf(to, " %s %s an hour in all", is_past(most) ? "grew" : "grows",
		leaks_bytes_text(rate, most->gauges[GAUGE_RSS].rate));
	if (count > 1)
		fprintf(to, ", and that of %zu more process%s", count - 1, count > 2 ? "es" : "");
	fputs(" (-v)\n", to);
}

void
remarks_print(FILE *to, const struct report *report, enum report_verdict verdict)
{
	enum { MOST = 3 };
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		if (remarks_has(process, verdict) && ++count <= MOST)
			leaks_text_remark(to, process, verdict, false);
	}
	if (count > MOST)
		fprintf(to, "%s%s%s: %zu more (-v)\n", term_style(STYLE_YELLOW),
			verdict == REPORT_OUTSIDE ? "outside malloc" : report_verdict_words[verdict],
			term_style(STYLE_PLAIN), count - MOST);
}

// Returns what grows in a process of which not more is said: by the hour its resident memory, if that surely
// grows. If the process is too short-lived for a rate, that is what its live memory has gained.
static double
growth_of(const struct report_process *process)
{
	const struct report_finding *resident = &process->gauges[GAUGE_RSS];

	if (process->severity == SEVERITY_SHORT)
		return process->growth;
	return process->has_times && resident->word.verdict == REPORT_LEAKS ? resident->rate : 0;
}

void
remarks_print_folded(FILE *to, const struct report *report, enum severity severity, const char *what,
	const char *behind)
{
	struct programs programs = {0};
	const struct report_process *most = NULL;
	char growth[UNIT_TEXT], lasts[LEAKS_TEXT];

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		// Runs of a job are told together.
		if (process->severity != severity || process->job != 0)
			continue;
		programs_add(&programs, process->name, process->pid);
		if (!most || growth_of(process) > growth_of(most))
			most = process;
	}
	if (!most)
		return;
	bool is_of_several = programs.processes > 1;
	fprintf(to, "%s%zu process%s: ", what, programs.processes, programs.processes > 1 ? "es" : "");
	programs_print(to, &programs);
	if (growth_of(most) >= 1 << 20) {
		bool is_short = severity == SEVERITY_SHORT;
		fputs(is_short ? "; live" : "; resident memory", to);
		if (is_of_several) {
			fputs(" of ", to);
			print_name(to, most);
		}
		fprintf(to, is_short ? " +%s" : is_past(most) ? " grew %s an hour"
			: " grows %s an hour", leaks_bytes_text(growth, growth_of(most)));
		if (is_short && most->has_times)
			fprintf(to, " in %s", leaks_duration_text(most, lasts, (double)(most->last - most->first)));
	}
	fprintf(to, "%s\n", behind);
}
