// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/term.h"
#include "render/advice.h"
#include "render/leaks_lines.h"
#include "render/leaks_text.h"
#include "service/programs.h"
#include "service/remarks.h"

// Returns the growth that a "too early" line shows (leaks_text.h).
static double
early_growth(const struct report_process *process)
{
	double growth = fmax(process->sums[STANDS_STARTING].growth, process->sums[STANDS_BRIEF].growth);

	return growth > 0 ? growth : process->burst.growth > 0 ? process->burst.growth : process->growth;
}

// Returns true if growth beside the process's leaks is large enough for a line. Smaller growth needs -v.
static bool
has_beside_leaks(const struct report_process *process, enum report_verdict verdict)
{
	static const double much = 0.25; // of the growth or the rate of the leaks
	const struct report_finding *outside = &process->gauges[GAUGE_OUTSIDE];
	bool is_early = process->sums[STANDS_STARTING].count + process->sums[STANDS_BRIEF].count > 0
		|| process->burst.growth > 0;

	if (verdict == REPORT_EARLY)
		return process->has_times && is_early
			&& early_growth(process) >= much * process->sums[STANDS].growth;
	// Memory that the program mapped itself is in the table of leaks.
	return verdict == REPORT_OUTSIDE && process->outside.mapped < process->outside.bytes
		&& outside->word.verdict == REPORT_LEAKS && outside->rate >= much * process->rate;
}

// Returns true if the process ended too early to be judged, and grew by little. Nobody can act on it, so
// only its name is printed.
static bool
is_folded(const struct report_process *process)
{
	return process->severity == SEVERITY_REMARK && process->word.verdict == REPORT_EARLY
		&& report_is_over(process) && early_growth(process) < 1 << 20;
}

bool
remarks_has(const struct report_process *process, enum report_verdict verdict)
{
	// The table of leaks has only rates. A log without times has none, so the process gets a line.
	if (process->severity == SEVERITY_LEAKS && verdict == REPORT_LEAKS)
		return !process->has_times;
	if (process->severity == SEVERITY_LEAKS)
		return has_beside_leaks(process, verdict);
	return process->severity == SEVERITY_REMARK && process->word.verdict == verdict
		&& process->job == 0 && !is_folded(process);
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

// Returns a copy of the process with the rate at which its limit is approached. If the limit is the
// machine's memory, this is the rate of all `count` processes that run and grow.
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

// Returns when the process reaches its limit at its rate, or INFINITY. A process that may have ended is
// ordered behind all others.
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

// Returns how much faster resident memory surely grows than the printed leaks, in bytes an hour. Returns 0
// if the difference is small compared with the leaks.
static double
beside_leaks(const struct report_process *process)
{
	static const double much = 1.25, least = 1 << 20;
	const struct report_finding *resident = &process->gauges[GAUGE_RSS];
	bool is_more = process->severity == SEVERITY_LEAKS && process->has_times && process->left_out == 0
		&& !remarks_has(process, REPORT_OUTSIDE) && resident->word.verdict == REPORT_LEAKS
		&& fmin(resident->rate_low, process->rss_rate) >= much * process->rate;

	return is_more && process->rss_rate - process->rate >= least ? process->rss_rate - process->rate : 0;
}

// A process with the number by which remarks are ordered.
struct remark {
	const struct report_process *process;
	double amount;
};

// Orders by number, the largest first. Equal numbers keep the order of the processes.
static int
by_amount(const void *left, const void *right)
{
	const struct remark *a = left, *b = right;

	if (a->amount != b->amount)
		return a->amount > b->amount ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

void
remarks_print_beside(FILE *to, const struct report *report, bool all)
{
	struct remark *remarks = memory_get(report->count, sizeof(*remarks));
	char rate[UNIT_TEXT];
	size_t count = 0;

	for (size_t i = 0; i < report->count; i++) {
		double more = beside_leaks(&report->processes[i]);
		if (more > 0)
			remarks[count++] = (struct remark){&report->processes[i], more};
	}
	memory_sort(remarks, count, sizeof(*remarks), by_amount);
	for (size_t i = 0; i < count && (all || i == 0); i++) {
		const struct report_process *process = remarks[i].process;
		fprintf(to, "%smore than these%s: resident memory of ", term_style(STYLE_YELLOW),
			term_style(STYLE_PLAIN));
		print_name(to, process);
		fprintf(to, " %s %s an hour%s\n", is_past(process) ? "grew" : "grows",
			leaks_bytes_text(rate, process->rss_rate), all ? "" : " (-v)");
	}
	free(remarks);
}

static double
amount_of(const struct report_process *process, enum report_verdict verdict)
{
	const struct report_finding *outside = &process->gauges[GAUGE_OUTSIDE];

	// In the first minutes there is no rate yet.
	return verdict == REPORT_OUTSIDE ? (outside->word.verdict == REPORT_LEAKS ? outside->rate : 0)
		: verdict == REPORT_EARLY ? early_growth(process) : 0;
}

void
remarks_print(FILE *to, const struct report *report, enum report_verdict verdict, bool all)
{
	enum { MOST = 3, MOST_BESIDE = 1 };
	struct remark *remarks = memory_get(report->count, sizeof(*remarks));
	size_t count = 0, beside = 0, shown = 0, left = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		if (remarks_has(process, verdict))
			remarks[count++] = (struct remark){process, amount_of(process, verdict)};
	}
	memory_sort(remarks, count, sizeof(*remarks), by_amount);
	for (size_t i = 0; i < count; i++) {
		bool is_beside = remarks[i].process->severity == SEVERITY_LEAKS && verdict == REPORT_OUTSIDE;
		beside += is_beside;
		// The line of totals counts the processes that also grow outside.
		if (is_beside && beside > MOST_BESIDE && !all)
			continue;
		if (all || shown++ < MOST)
			leaks_text_remark(to, remarks[i].process, verdict, false);
		else
			left++;
	}
	if (left > 0)
		fprintf(to, "%s%s%s: %zu more (-v)\n", term_style(STYLE_YELLOW),
			verdict == REPORT_OUTSIDE ? "outside malloc" : report_verdict_words[verdict],
			term_style(STYLE_PLAIN), left);
	free(remarks);
}

// Returns the growth of a process that is only named. This is the rate of resident memory, if that surely
// grows and reaches the limit within two weeks. If the process was too short-lived for a rate, this is the
// growth of its live memory.
static double
growth_of(const struct report_process *process)
{
	const struct report_finding *resident = &process->gauges[GAUGE_RSS];

	if (process->severity == SEVERITY_SHORT)
		return process->growth;
	return process->has_times && resident->word.verdict == REPORT_LEAKS
		&& !leaks_limit_is_far(process, resident->rate) ? resident->rate : 0;
}

void
remarks_print_folded(FILE *to, const struct report *report, enum severity severity, const char *what,
	const char *behind)
{
	struct programs programs = {0};
	const struct report_process *most = NULL, *latest = NULL;
	char growth[UNIT_TEXT], lasts[LEAKS_TEXT];

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		bool is_this = process->severity == severity || (severity == SEVERITY_SHORT && is_folded(process));
		// Runs of a job share one line (job_lines.h).
		if (!is_this || process->job != 0)
			continue;
		programs_add(&programs, process->name, process->pid);
		if (!most || growth_of(process) > growth_of(most))
			most = process;
		if (!is_past(process) && (!latest || process->ask_in > latest->ask_in))
			latest = process;
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
		if (!is_short && most->runs)
			fprintf(to, ": pmap -x %ld shows where", most->pid);
	}
	if (latest && severity == SEVERITY_SHORT)
		advice_ask(to, latest);
	fprintf(to, "%s\n", behind);
}

void
remarks_print_advice(FILE *to, const struct report *report)
{
	unsigned said = 0;

	for (size_t i = 0; i < report->count; i++) {
		const struct report_process *process = &report->processes[i];
		char *before = memory_format("%s %ld: ", process->name, process->pid);
		if (process->severity < SEVERITY_SHORT && process->job == 0)
			advice_print(to, process, before, &said);
		free(before);
	}
}
