// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/memory.h"
#include "print/disambiguate.h"
#include "render/jobs_json.h"

static void
place(struct json *json, const struct report_job_place *of, const char *where)
{
	json_begin(json, NULL, '{');
	json_kind(json, &of->row);
	json_where(json, &of->row, where);
	json_string(json, "verdict", report_verdict_words[of->word.verdict]);
	json_string(json, "detail", of->word.detail);
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
	struct row *rows = memory_get(job->count, sizeof(*rows));

	for (size_t i = 0; i < job->count; i++)
		rows[i] = job->places[i].row;
	char **texts = disambiguate_rows(rows, job->count);
	json_begin(json, "places", '[');
	for (size_t i = 0; i < job->count; i++) {
		place(json, &job->places[i], texts[i]);
		free(texts[i]);
	}
	json_end(json, '[');
	free(texts);
	free(rows);
}

void
jobs_json(struct json *json, const struct report_jobs *jobs)
{
	json_begin(json, "jobs", '[');
	for (size_t i = 0; jobs && i < jobs->count; i++) {
		const struct report_job *job = &jobs->jobs[i];
		json_begin(json, NULL, '{');
		json_string(json, "program", job->program);
		json_integer(json, "runs", (int64_t)job->runs);
		json_string(json, "verdict", report_verdict_words[job->word.verdict]);
		json_string(json, "detail", job->word.detail);
		places(json, job);
		json_end(json, '{');
	}
	json_end(json, '[');
}
