// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "log/run.h"
#include "print/disambiguate.h"
#include "print/leaks_words.h"
#include "print/limit_words.h"
#include "print/row_text.h"
#include "render/json.h"
#include "render/leaks_json.h"
#include "render/leaks_text.h"
#include "report/jobs.h"
#include "report/lines.h"

static void
moment(struct json *json, const char *name, const struct report_process *of, int64_t moment)
{
	if (of->has_times)
		json_time(json, name, moment);
	else
		json_integer(json, name, moment);
}

static void
word(struct json *json, const struct report_word *word)
{
	json_string(json, "verdict", report_verdict_words[word->verdict]);
	json_string(json, "detail", word->detail);
}

// Writes what is said of growth, whether of a source or of the process as a whole.
static void
growth(struct json *json, const struct report_process *of, const struct report_finding *finding)
{
	word(json, &finding->word);
	json_rounded(json, "last_bytes", finding->live);
	json_rounded(json, "lowest_bytes", finding->lowest);
	json_rounded(json, "highest_bytes", finding->highest);
	if (!finding->grows)
		return;
	fprintf(json->to, ",\n\"confidence\":%.3f", finding->confidence);
	if (finding->has_rate) {
		json_rounded(json, "rate", finding->rate);
		json_rounded(json, "rate_low", fmax(finding->rate_low, 0));
		json_rounded(json, "rate_high", finding->rate_high);
	}
	json_rounded(json, "growth_bytes", finding->growth);
	moment(json, "since", of, finding->since);
	json_bool(json, "or_earlier", finding->or_earlier);
	moment(json, "until", of, finding->until);
}

static void
stacks(struct json *json, const struct report_finding *finding, size_t most)
{
	json_integer(json, "stack_count", (int64_t)finding->stacks);
	json_begin(json, "stacks", '[');
	for (size_t i = 0; i < finding->stacks && i < most; i++) {
		struct row row = row_of_source(finding->sources[i]);
		json_begin(json, NULL, '{');
		json_id(json, "id", row.id);
		json_stack(json, &row);
		json_end(json, '{');
	}
	json_end(json, '[');
}

static void
source(struct json *json, const struct report_process *of, const struct leaks_style *style,
	const struct report_finding *finding, const char *where)
{
	json_begin(json, NULL, '{');
	json_kind(json, &finding->row);
	json_where(json, &finding->row, where);
	growth(json, of, finding);
	if (finding->grows) {
		json_rounded(json, "growth_blocks", finding->growth_blocks);
		if (finding->allocs > 0)
			json_rounded(json, "allocations", finding->allocs);
		json_rounded(json, "freed_at_exit_bytes", finding->held);
	}
	if (finding->grows && style->has_baseline)
		json_rounded(json, "rate_before", finding->before);
	if (finding->most.depth > 0) {
		char *most = row_text(&finding->most);
		json_string(json, "mostly", most);
		free(most);
	}
	stacks(json, finding, style->stacks ? style->most : 1);
	json_end(json, '{');
}

// Writes the leaks, and with --all the other sources. Of each, writes at most as many as are asked
// for.
static void
sources(struct json *json, const struct report_process *process, const struct leaks_style *style)
{
	size_t count = style->all ? process->count : process->leaks;
	size_t shown = count < style->most ? count : style->most;
	char **texts = leaks_where_texts(process->findings, shown);

	json_begin(json, "sources", '[');
	for (size_t i = 0; i < shown; i++) {
		source(json, process, style, &process->findings[i], texts[i]);
		free(texts[i]);
	}
	json_end(json, '[');
	json_integer(json, "sources_not_shown", (int64_t)(count - shown));
	free(texts);
}

static void
limit(struct json *json, const struct report_process *of)
{
	double ms;

	if (of->limit.most == 0)
		return;
	json_begin(json, "limit", '{');
	json_string(json, "of", of->limit.is_machine ? "machine" : "control group");
	json_integer(json, "bytes", (int64_t)of->limit.most);
	json_integer(json, "used_bytes", (int64_t)of->limit.used);
	if (of->has_times && !report_is_over(of) && limit_reached(&of->limit, of->limit_rate, &ms))
		json_rounded(json, "full_in_seconds", ms / 1000);
	json_end(json, '{');
}

// Writes what is said of the process's memory as a whole.
static void
memory(struct json *json, const struct report_process *process)
{
	static const char *const names[GAUGES_JUDGED] = {[GAUGE_LIVE] = "live_and_mapped",
		[GAUGE_RSS] = "resident", [GAUGE_FILE] = "files", [GAUGE_OUTSIDE] = "outside"};

	json_begin(json, "memory", '{');
	for (enum gauge i = 0; i < GAUGES_JUDGED; i++) {
		if (!process->gauges[i].is_known)
			continue;
		json_begin(json, names[i], '{');
		growth(json, process, &process->gauges[i]);
		if (i == GAUGE_OUTSIDE && process->outside_like)
			json_string(json, "looks_like", process->outside_like);
		json_end(json, '{');
	}
	json_end(json, '{');
}

static void
burst(struct json *json, const struct report_process *of)
{
	if (of->burst.growth <= 0)
		return;
	json_begin(json, "burst", '{');
	json_rounded(json, "growth_bytes", of->burst.growth);
	moment(json, "since", of, of->burst.since);
	if (of->burst.of_row > 0) {
		char *where = row_text(&of->burst.row);
		json_id(json, "id", of->burst.row.id);
		json_string(json, "where", where);
		free(where);
	}
	json_end(json, '{');
}

static void
losses(struct json *json, const struct run *run)
{
	json_begin(json, "losses", '{');
	for (size_t i = 0; i < run->loss_count; i++)
		json_integer(json, run->losses[i].name, (int64_t)run->losses[i].count);
	json_end(json, '{');
}

void
leaks_json_process(FILE *to, const struct report_process *of, const struct leaks_style *style)
{
	struct json json = {.to = to};
	struct compose sentences;

	fputc('{', json.to);
	json_run(&json, of->of, of->program);
	json_string(&json, "log", of->log);
	word(&json, &of->word);
	if (of->ask_again > 0 && !report_is_over(of))
		json_time(&json, "ask_again", of->ask_again);
	json_integer(&json, "snapshots", (int64_t)of->snapshots);
	moment(&json, "first", of, of->first);
	moment(&json, "last", of, of->last);
	json_bool(&json, "has_ended", of->has_ended);
	if (of->runs || of->is_gone)
		json_bool(&json, "is_running", of->runs);
	json_string(&json, "rate_unit", of->has_times ? "bytes an hour" : "bytes a snapshot");
	json_rounded(&json, "rate", of->rate);
	json_rounded(&json, "rate_kept", of->held_rate);
	json_rounded(&json, "live_bytes", of->live);
	if (of->rss > 0)
		json_rounded(&json, "resident_bytes", of->rss);
	if (of->mapped > 0)
		json_rounded(&json, "mapped_bytes", of->mapped);
	json_rounded(&json, "growth_bytes", of->growth);
	json_rounded(&json, "growth_hidden_bytes", of->growth_hidden);
	json_rounded(&json, "growth_unseen_bytes", of->growth_unseen);
	burst(&json, of);
	limit(&json, of);
	memory(&json, of);
	json_integer(&json, "judged", (int64_t)of->judged);
	json_integer(&json, "left_out", (int64_t)of->left_out);
	sources(&json, of, style);
	losses(&json, of->of);
	json_lines(&json, "notes", memory_text(of->notes, strlen(of->notes)));
	compose_begin(&sentences);
	leaks_text_lines(sentences.to, of, style);
	json_lines(&json, "sentences", compose_end(&sentences));
	fputc('}', json.to);
}

static void
place(struct json *json, const struct report_job_place *of, const char *where)
{
	json_begin(json, NULL, '{');
	json_kind(json, &of->row);
	json_where(json, &of->row, where);
	word(json, &of->word);
	json_integer(json, "runs", (int64_t)of->count);
	json_rounded(json, "lowest_bytes", of->lowest);
	json_rounded(json, "highest_bytes", of->highest);
	json_rounded(json, "mean_bytes", of->sum / (double)of->count);
	if (of->rate > 0)
		json_rounded(json, "bytes_each_mib", of->rate * (1 << 20));
	json_end(json, '{');
}

static void
places(struct json *json, const struct report_job *job)
{
	char **texts = disambiguate(job->places, sizeof(*job->places), job->count);

	json_begin(json, "places", '[');
	for (size_t i = 0; i < job->count; i++) {
		place(json, &job->places[i], texts[i]);
		free(texts[i]);
	}
	json_end(json, '[');
	free(texts);
}

// Writes what short runs of programs left: an object for each program, with all places. `of` may be
// NULL.
static void
jobs(struct json *json, const struct report_jobs *of)
{
	json_begin(json, "jobs", '[');
	for (size_t i = 0; of && i < of->count; i++) {
		const struct report_job *job = &of->jobs[i];
		json_begin(json, NULL, '{');
		json_string(json, "program", job->program);
		json_integer(json, "runs", (int64_t)job->runs);
		word(json, &job->word);
		places(json, job);
		json_end(json, '{');
	}
	json_end(json, '[');
}

void
leaks_json_print(FILE *to, const struct report *report, enum grouping_by by, bool with_lines)
{
	struct json json = {.to = to};
	size_t count;

	struct report_line *lines = lines_sum(report, by, with_lines, &count);
	char **texts = disambiguate(lines, sizeof(*lines), count);
	fputc('{', to);
	json_schema(&json);
	json_integer(&json, "leaking", (int64_t)report_count(report, SEVERITY_LEAKS));
	json_rounded(&json, "rate", report_rate(report, false, NULL));
	json_begin(&json, "lines", '[');
	for (size_t i = 0; i < count; i++) {
		json_begin(&json, NULL, '{');
		json_where(&json, &lines[i].row, texts[i]);
		json_rounded(&json, "rate", lines[i].rate);
		json_rounded(&json, "growth_bytes", lines[i].growth);
		json_integer(&json, "processes", (int64_t)lines[i].processes);
		json_time(&json, "since", lines[i].since);
		json_bool(&json, "is_kept", lines[i].is_kept);
		json_end(&json, '{');
		free(texts[i]);
	}
	json_end(&json, '[');
	jobs(&json, report->jobs);
	json_begin(&json, "processes", '[');
	for (size_t i = 0; i < report->count; i++)
		fprintf(to, "%s%s", i ? ",\n" : "\n", report->processes[i].text);
	json_end(&json, '[');
	fputs("}\n", to);
	free(texts);
	free(lines);
}
