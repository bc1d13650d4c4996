// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>

#include "base/system.h"
#include "log/run.h"
#include "print/disambiguate.h"
#include "render/json.h"
#include "render/rows_json.h"

// Which standard error a sampled log's numbers have.
enum error { ERROR_NONE, ERROR_OF_LIVE, ERROR_OF_DIFFERENCE };

static void
process(struct json *json, const struct profile_run *of)
{
	const struct run *run = of->run;
	const char *program = run_program(run)[0] ? run_program(run) : "?";

	json_begin(json, NULL, '{');
	json_run(json, run, program);
	json_string(json, "log", log_path(of->log));
	json_integer(json, "snapshot", (int64_t)of->at.number);
	json_string(json, "reason", of->at.reason);
	if (of->at.time_ms != 0)
		json_time(json, "time", of->at.time_ms);
	if (of->base.place > 0)
		json_integer(json, "since_snapshot", (int64_t)of->base.number);
	if (of->base.place > 0 && of->base.time_ms != 0)
		json_time(json, "since", of->base.time_ms);
	json_integer(json, "live_bytes", (int64_t)of->at.total.live);
	if (of->at.peak > 0)
		json_integer(json, "peak_bytes", (int64_t)of->at.peak);
	if (of->at.has_memory)
		json_integer(json, "resident_bytes", (int64_t)of->at.rss);
	json_end(json, '{');
}

// Writes the counts signed: those of {rest} may be negative in a log that does not add up.
static void
counts(struct json *json, const char *name, const struct counts *counts)
{
	json_begin(json, name, '{');
	json_integer(json, "live_bytes", (int64_t)counts->live);
	json_integer(json, "live_blocks", (int64_t)counts->blocks);
	json_integer(json, "alloc_bytes", (int64_t)counts->alloc);
	json_integer(json, "allocs", (int64_t)counts->allocs);
	json_integer(json, "free_bytes", (int64_t)counts->free);
	json_integer(json, "frees", (int64_t)counts->frees);
	json_end(json, '{');
}

// Writes what the row has now and had before, and which changes the log does not prove.
static void
amounts(struct json *json, const struct row *row, enum error error)
{
	counts(json, "now", &row->now);
	counts(json, "before", &row->before);
	json_begin(json, "uncertain", '[');
	for (enum value i = 0; i < VALUES; i++)
		if (row->uncertain & (1u << i))
			json_string(json, NULL, value_names[i]);
	json_end(json, '[');
	if (error != ERROR_NONE)
		json_rounded(json, "error_bytes", row_error(row, error == ERROR_OF_DIFFERENCE));
}

static void
row(struct json *json, const struct row *row, const char *where, enum error error)
{
	json_begin(json, NULL, '{');
	json_kind(json, row);
	if (row->kind == SOURCE_STACK)
		json_id(json, "id", row->id);
	json_where(json, row, where);
	json_integer(json, "processes", row->processes);
	if (row->by.name) {
		json_string(json, "thread", row->by.name);
		json_integer(json, "thread_percent", row->by.percent);
	}
	amounts(json, row, error);
	if (row->depth > 0)
		json_stack(json, row);
	json_end(json, '{');
}

static void
others(struct json *json, const char *name, const struct others *others, enum error error)
{
	json_begin(json, name, '{');
	json_integer(json, "count", (int64_t)others->count);
	amounts(json, &others->sum, error);
	json_end(json, '{');
}

void
rows_json_print(FILE *to, const struct rows_table *of, struct profile *profile,
	const struct profile_run *runs, size_t run_count, char *notes)
{
	struct json json = {.to = to};
	enum error error = !profile->is_sampled ? ERROR_NONE
		: of->differences ? ERROR_OF_DIFFERENCE : ERROR_OF_LIVE;

	struct rows_choice choice = rows_choose(of, profile, false);
	char **texts = disambiguate(profile->rows, sizeof(struct row), choice.shown);
	fputc('{', to);
	json_schema(&json);
	json_bool(&json, "is_sampled", profile->is_sampled);
	json_begin(&json, "processes", '[');
	for (size_t i = 0; i < run_count; i++)
		process(&json, &runs[i]);
	json_end(&json, '[');
	json_begin(&json, "rows", '[');
	for (size_t i = 0; i < choice.shown; i++) {
		row(&json, &profile->rows[i], texts[i], error);
		free(texts[i]);
	}
	json_end(&json, '[');
	others(&json, "more", &choice.more, error);
	others(&json, "idle", &choice.idle, error);
	others(&json, "not_asked_for", &choice.unwanted, error);
	json_begin(&json, "total", '{');
	amounts(&json, &profile->total, error);
	json_end(&json, '{');
	json_lines(&json, "notes", notes);
	fputs("}\n", to);
	free(texts);
}
