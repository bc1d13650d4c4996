// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "version.h"
#include "base/glyph.h"
#include "base/intern.h"
#include "base/memory.h"
#include "print/disambiguate.h"
#include "print/limit_words.h"
#include "render/openmetrics.h"
#include "report/failure.h"
#include "report/lines.h"

static const double hour_seconds = 3600;

struct family {
	const char *name, *unit, *help; // `unit` is the name's last part, or NULL
};

// What each process has.
enum metric {
	LIVE, RESIDENT, MAPPED, OUTSIDE, LEAK_RATE, OUTSIDE_RATE, LIMIT, LIMIT_USED, UNTIL_LIMIT, LAST_SNAPSHOT,
	RUNNING, METRICS
};
static const struct family of_process[METRICS] = {
	[LIVE] = {"pmem_process_live_bytes", "bytes", "Memory of malloc's blocks that are not yet freed."},
	[RESIDENT] = {"pmem_process_resident_bytes", "bytes", "Resident memory."},
	[MAPPED] = {"pmem_process_mapped_bytes", "bytes", "Memory that the program has mapped itself."},
	[OUTSIDE] = {"pmem_process_outside_bytes", "bytes",
		"Resident memory that is neither in malloc's blocks nor of files."},
	[LEAK_RATE] = {"pmem_process_leak_rate_bytes_per_second", "bytes_per_second",
		"Growth of what surely leaks."},
	[OUTSIDE_RATE] = {"pmem_process_outside_rate_bytes_per_second", "bytes_per_second",
		"Growth of resident memory outside of malloc's blocks and files, if it surely grows."},
	[LIMIT] = {"pmem_process_limit_bytes", "bytes",
		"Memory limit of the control group, or memory of the machine."},
	[LIMIT_USED] = {"pmem_process_limit_used_bytes", "bytes",
		"Memory that counts for the limit, of all processes."},
	[UNTIL_LIMIT] = {"pmem_process_until_limit_seconds", "seconds",
		"Time from the last snapshot until the limit is reached at the present rate."},
	[LAST_SNAPSHOT] = {"pmem_process_last_snapshot_timestamp_seconds", "seconds",
		"Unix time of the last snapshot."},
	[RUNNING] = {"pmem_process_running", NULL, "1 if the process surely runs, 0 if it has ended."},
};

// A process has no rate if it cannot be judged yet, or if its leak was seen too briefly.
static double
leak_rate(const struct report_process *of)
{
	enum report_verdict verdict = of->word.verdict;
	bool is_none = !failure_is_open(of) && (verdict == REPORT_STOPPED || verdict == REPORT_OUTSIDE
		|| verdict == REPORT_NO_LEAK);

	return of->rate > 0 ? of->rate / hour_seconds : is_none ? 0 : NAN;
}

// Sets the value of each metric, or NAN if it is not known. A process that is over has no memory.
static void
set_values(double values[METRICS], const struct report_process *of)
{
	const struct report_finding *outside = &of->gauges[GAUGE_OUTSIDE];
	bool has_limit = of->limit.most > 0;
	double ms;

	for (enum metric i = 0; i < METRICS; i++)
		values[i] = NAN;
	if (of->has_times)
		values[LAST_SNAPSHOT] = (double)of->last / 1000;
	if (report_is_over(of)) {
		values[RUNNING] = 0;
		return;
	}
	values[RUNNING] = of->runs ? 1 : NAN;
	values[LIVE] = of->snapshots > 0 ? of->live : NAN;
	values[RESIDENT] = of->rss > 0 ? of->rss : NAN;
	values[MAPPED] = of->mapped > 0 ? of->mapped : NAN;
	values[OUTSIDE] = outside->is_known ? outside->live : NAN;
	values[LIMIT] = has_limit ? (double)of->limit.most : NAN;
	values[LIMIT_USED] = has_limit ? (double)of->limit.used : NAN;
	if (!of->has_times)
		return;
	values[LEAK_RATE] = leak_rate(of);
	if (outside->has_rate && outside->word.verdict == REPORT_LEAKS)
		values[OUTSIDE_RATE] = outside->rate / hour_seconds;
	if (limit_reached(&of->limit, of->limit_rate, &ms))
		values[UNTIL_LIMIT] = ms / 1000;
}

static void
begin_family(FILE *to, const struct family *family)
{
	fprintf(to, "# HELP %s %s\n# TYPE %s gauge\n", family->name, family->help, family->name);
	if (family->unit)
		fprintf(to, "# UNIT %s %s\n", family->name, family->unit);
}

// Writes one sample. The value of a whole number has all its digits.
static void
sample(FILE *to, const struct family *family, const char *labels, double value)
{
	fprintf(to, "%s%s%s%s ", family->name, labels ? "{" : "", labels ? labels : "",
		labels ? "}" : "");
	fprintf(to, value == floor(value) && fabs(value) < 0x1p53 ? "%.0f\n" : "%.13g\n", value);
}

static void
single(FILE *to, const char *name, const char *unit, const char *help, double value)
{
	struct family family = {name, unit, help};
	begin_family(to, &family);
	sample(to, &family, NULL, value);
}

// Writes a label. A long value is cut to whole characters. Unfit characters, newlines among them,
// become '?', so that only two characters need escapes.
static void
add_label(FILE *to, const char *between, const char *name, const char *value)
{
	char *text = glyph_clean(memory_text(value, strlen(value)));
	size_t length = 0;

	while (text[length] && length + glyph_next(text + length).bytes <= OPENMETRICS_LABEL)
		length += glyph_next(text + length).bytes;
	fprintf(to, "%s%s=\"", between, name);
	for (size_t i = 0; i < length; i++)
		fprintf(to, strchr("\\\"", text[i]) ? "\\%c" : "%c", text[i]);
	fputc('"', to);
	free(text);
}

// Returns labels that no earlier process or line has: `write` is called with 1, 2, ... until its text
// is new. The caller frees the text.
static char *
new_labels(struct intern *given, void (*write)(FILE *to, const void *of, size_t number),
	const void *of)
{
	for (size_t number = 1;; number++) {
		struct compose compose;
		bool is_new;
		compose_begin(&compose);
		write(compose.to, of, number);
		char *text = compose_end(&compose);
		intern_number(given, text, strlen(text), &is_new);
		if (is_new)
			return text;
		free(text);
	}
}

// A run's id is unique. But an old log has none, and a log may have a copy.
static void
write_process_labels(FILE *to, const void *process, size_t number)
{
	const struct report_process *of = process;
	char pid[32] = "", run[64] = "";

	if (of->pid > 0)
		snprintf(pid, sizeof(pid), "%ld", of->pid);
	if (of->run)
		snprintf(run, sizeof(run), "%016" PRIx64, of->run);
	if (number > 1)
		snprintf(run + strlen(run), sizeof(run) - strlen(run), "#%zu", number);
	add_label(to, "", "program", of->program);
	add_label(to, ",", "pid", pid);
	add_label(to, ",", "run", run);
	add_label(to, ",", "host", of->host);
}

struct named_line {
	const char *program, *where;
};

static void
write_line_labels(FILE *to, const void *line, size_t number)
{
	const struct named_line *of = line;
	char which[32] = "";

	if (number > 1)
		snprintf(which, sizeof(which), "%zu", number);
	add_label(to, "", "program", of->program);
	add_label(to, ",", "where", of->where);
	if (number > 1)
		add_label(to, ",", "number", which);
}

// Sorts by severity, then by rate. Processes that are over come last.
static int
worst_first(const void *left, const void *right)
{
	const struct report_process *a = *(const struct report_process *const *)left;
	const struct report_process *b = *(const struct report_process *const *)right;
	bool a_is_over = report_is_over(a), b_is_over = report_is_over(b);

	if (a_is_over != b_is_over)
		return a_is_over ? 1 : -1;
	if (a->severity != b->severity)
		return a->severity < b->severity ? -1 : 1;
	double a_rate = a->has_times ? a->rate : 0, b_rate = b->has_times ? b->rate : 0;
	if (a_rate != b_rate)
		return a_rate > b_rate ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static void
print_verdicts(FILE *to, const struct report *report, const struct report_process *const *processes,
	char *const *labels, size_t shown)
{
	static const struct family family = {"pmem_process_verdict", NULL,
		"1 for the verdict on the process, 0 for all others."};

	if (shown > 0)
		begin_family(to, &family);
	for (size_t i = 0; i < shown; i++) {
		for (enum report_verdict verdict = 0; verdict < REPORT_VERDICTS; verdict++) {
			char *all = memory_format("%s,verdict=\"%s\"",
				labels[processes[i] - report->processes],
				report_verdict_words[verdict]);
			sample(to, &family, all, processes[i]->word.verdict == verdict);
			free(all);
		}
	}
}

static void
print_processes(FILE *to, const struct report *report)
{
	const struct report_process **processes = memory_get(report->count, sizeof(*processes));
	char **labels = memory_get(report->count, sizeof(*labels));
	struct intern given = {0};
	size_t shown = report->count < OPENMETRICS_PROCESSES ? report->count : OPENMETRICS_PROCESSES;

	// Labels that would be equal are numbered in the order of the logs, which does not change with
	// rates.
	for (size_t i = 0; i < report->count; i++) {
		processes[i] = &report->processes[i];
		labels[i] = new_labels(&given, write_process_labels, processes[i]);
	}
	memory_sort(processes, report->count, sizeof(*processes), worst_first);
	for (enum metric metric = 0; metric < METRICS; metric++) {
		bool has_begun = false;
		for (size_t i = 0; i < shown; i++) {
			double values[METRICS];
			set_values(values, processes[i]);
			if (!isfinite(values[metric]))
				continue;
			if (!has_begun)
				begin_family(to, &of_process[metric]);
			has_begun = true;
			sample(to, &of_process[metric], labels[processes[i] - report->processes], values[metric]);
		}
	}
	print_verdicts(to, report, processes, labels, shown);
	single(to, "pmem_processes_left_out", NULL, "Processes without metrics of their own.",
		(double)(report->count - shown));
	for (size_t i = 0; i < report->count; i++)
		free(labels[i]);
	intern_free(&given);
	free(labels);
	free(processes);
}

static void
print_lines(FILE *to, const struct report *report, size_t most, enum grouping_by by,
	bool with_lines)
{
	static const struct family family = {"pmem_line_leak_rate_bytes_per_second",
		"bytes_per_second", "Growth of what surely leaks at this line, in all processes that live."};
	struct intern given = {0};
	size_t count;

	struct report_line *lines = lines_sum(report, by, with_lines, &count);
	char **texts = disambiguate(lines, sizeof(*lines), count);
	if (count > 0 && most > 0)
		begin_family(to, &family);
	for (size_t i = 0; i < count; i++) {
		struct named_line named = {lines[i].process->program, texts[i]};
		if (i < most) {
			char *labels = new_labels(&given, write_line_labels, &named);
			sample(to, &family, labels, lines[i].rate / hour_seconds);
			free(labels);
		}
		free(texts[i]);
	}
	intern_free(&given);
	free(texts);
	free(lines);
}

static void
print_counts(FILE *to, const struct report *report)
{
	static const struct family family = {"pmem_processes", NULL, "Processes by their verdicts."};

	begin_family(to, &family);
	for (enum report_verdict verdict = 0; verdict < REPORT_VERDICTS; verdict++) {
		size_t count = 0;
		for (size_t i = 0; i < report->count; i++)
			count += report->processes[i].word.verdict == verdict;
		char *labels = memory_format("verdict=\"%s\"", report_verdict_words[verdict]);
		sample(to, &family, labels, (double)count);
		free(labels);
	}
}

// A log without times has no rates.
static bool
has_times(const struct report *report)
{
	bool has = false;

	for (size_t i = 0; i < report->count; i++)
		has |= report->processes[i].has_times;
	return has;
}

void
openmetrics_print(FILE *to, const struct report *report, size_t most, bool is_whole,
	enum grouping_by by, bool with_lines)
{
	static const struct family build = {"pmem_build_info", NULL,
		"The pmem that wrote this, and the version of these metrics."};

	// What an ended process has leaked is no rate of today. An alert on it would never end.
	struct report living = report_living(report);

	begin_family(to, &build);
	sample(to, &build, "version=\"" PMEM_VERSION "\",schema=\"1\"", 1);
	single(to, "pmem_logs_whole", NULL, "1 if all logs could be read completely, else 0.", is_whole);
	print_counts(to, report);
	if (has_times(&living))
		single(to, "pmem_leak_rate_bytes_per_second", "bytes_per_second",
			"Growth of what surely leaks in all processes that live; the most at one time.",
			report_rate(&living, false, NULL) / hour_seconds);
	print_lines(to, &living, most, by, with_lines);
	free(living.processes);
	print_processes(to, report);
	fputs("# EOF\n", to);
}
