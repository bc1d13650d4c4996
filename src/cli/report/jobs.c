// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "report/jobs.h"
#include "rows/row_copy.h"
#include "symbols/symbols.h"

static struct report_job *
job_of(struct report_jobs *jobs, const struct report_process *process)
{
	const char *script = process->script;
	char *key = memory_format("%s\n%s\n%s", process->of->exe, process->program, script);
	bool is_new;
	size_t number = intern_number(&jobs->programs, key, strlen(key), &is_new);

	if (is_new) {
		char *program = memory_format("%s%s%s", process->program, *script ? " " : "", path_last(script));
		jobs->jobs = memory_grow(jobs->jobs, jobs->count, &jobs->room, sizeof(*jobs->jobs));
		jobs->jobs[jobs->count++] = (struct report_job){
			.program = glyph_clean(arena_text(&jobs->arena, program, strlen(program))),
			.grouping = {.by = jobs->by, .with_lines = jobs->with_lines}};
		free(program);
	}
	free(key);
	return &jobs->jobs[number];
}

// Adds what a source left to its place. If sources are grouped by name or place, looks up the names on its
// stack first. If by id, add_amounts() looks them up once a place.
static void
add_source(struct report_job *job, const struct source *source)
{
	const struct counts *left = &source->now.counts;
	struct row row = row_of_source(source);
	bool is_new;

	if (job->grouping.by != GROUPING_BY_ID)
		symbols_resolve(source->frames, source->depth);
	size_t number = grouping_number(&job->grouping, &row, &is_new);
	if (is_new) {
		job->places = memory_grow(job->places, job->count, &job->room, sizeof(*job->places));
		job->places[job->count++] = (struct report_job_place){0};
	}
	struct report_job_place *place = &job->places[number];
	if (place->now.bytes == 0)
		place->now_row = row;
	else if (job->grouping.by == GROUPING_BY_PLACE)
		grouping_cut(&place->now_row, &row);
	place->now.bytes += (double)left->live;
	place->now.blocks += (double)left->blocks;
}

// A source that the exit's snapshot does not show holds nothing, or its blocks found no room there.
static void
add_sources(struct report_job *job, const struct run *run, bool (*wanted)(const struct source *))
{
	for (size_t i = 0; i < run_sources(run); i++) {
		const struct source *source = run_source_at(run, i);
		if (source->now.counts.live > 0 && source->now.shown_in == run->snapshots - 1
				&& !source->is_unseen && (!wanted || wanted(source)))
			add_source(job, source);
	}
}

// Ends a run. Each place where the run left enough gets the run's amount.
static void
add_amounts(struct report_jobs *jobs, struct report_job *job, double work)
{
	for (size_t i = 0; i < job->count; i++) {
		struct report_job_place *place = &job->places[i];
		struct job_amount now = place->now;
		place->now = (struct job_amount){0};
		if (now.bytes == 0 || now.bytes < jobs->least)
			continue;
		now.work = work;
		if (place->count == 0) {
			symbols_resolve(place->now_row.frames, place->now_row.depth);
			place->row = row_copy(&jobs->arena, &place->now_row);
		} else if (job->grouping.by == GROUPING_BY_PLACE) {
			grouping_cut(&place->row, &place->now_row);
		}
		place->amounts = memory_grow(place->amounts, place->count, &place->room,
			sizeof(*place->amounts));
		place->amounts[place->count++] = now;
	}
}

void
jobs_add(struct report_jobs *jobs, struct report_process *process, double work,
	bool (*wanted)(const struct source *source))
{
	const struct run *run = process->of;

	if (!process->is_short || !run->ended || process->severity == SEVERITY_LEAKS
			|| process->word.verdict == REPORT_NOT_JUDGED)
		return;
	struct report_job *job = job_of(jobs, process);
	jobs->is_part = wanted != NULL;
	job->runs++;
	process->job = (size_t)(job - jobs->jobs) + 1;
	add_sources(job, run, wanted);
	add_sources(job, run->mapped, wanted);
	add_amounts(jobs, job, work);
}

// Leaks come first, then what is not judged, then what is no leak. In each group the most bytes
// come first.
static int
by_word(const struct report_word *a, const struct report_word *b)
{
	static const int ranks[REPORT_VERDICTS] = {[REPORT_LEAKS] = 0, [REPORT_NOT_JUDGED] = 1,
		[REPORT_NO_LEAK] = 2};
	return ranks[a->verdict] - ranks[b->verdict];
}

static int
by_bytes(const void *left, const void *right)
{
	const struct report_job_place *a = left, *b = right;
	int order = by_word(&a->word, &b->word);

	if (order != 0)
		return order;
	return a->sum != b->sum ? a->sum > b->sum ? -1 : 1
		: (a->row.id > b->row.id) - (a->row.id < b->row.id);
}

static int
by_place(const void *left, const void *right)
{
	const struct report_job *a = left, *b = right;
	int order = by_word(&a->word, &b->word);

	if (order != 0 || a->count == 0 || b->count == 0)
		return order != 0 ? order : strcmp(a->program, b->program);
	order = by_bytes(&a->places[0], &b->places[0]);
	return order != 0 ? order : strcmp(a->program, b->program);
}

static void
free_job(struct report_job *job)
{
	for (size_t i = 0; i < job->count; i++)
		free(job->places[i].amounts);
	free(job->places);
	grouping_free(&job->grouping);
}

static void
judge(struct report_job *job, double least)
{
	size_t left = 0;

	for (size_t i = 0; i < job->count; i++) {
		struct report_job_place *place = &job->places[i];
		if (place->count == 0)
			continue;
		job_amounts_judge(place, least);
		job->places[left++] = *place;
	}
	job->count = left;
	memory_sort(job->places, left, sizeof(*job->places), by_bytes);
	job->word = left > 0 ? job->places[0].word : (struct report_word){REPORT_NO_LEAK, "nothing left"};
}

void
jobs_judge(struct report_jobs *jobs, struct report *report)
{
	size_t left = 0;

	for (size_t i = 0; i < report->count; i++) {
		struct report_process *process = &report->processes[i];
		if (process->job > 0 && jobs->jobs[process->job - 1].runs < JOB_FEW)
			process->job = 0;
	}
	for (size_t i = 0; i < jobs->count; i++) {
		struct report_job *job = &jobs->jobs[i];
		if (job->runs < JOB_FEW) {
			free_job(job);
			continue;
		}
		judge(job, jobs->least);
		jobs->jobs[left++] = *job;
	}
	jobs->count = left;
	memory_sort(jobs->jobs, left, sizeof(*jobs->jobs), by_place);
}

void
jobs_free(struct report_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free_job(&jobs->jobs[i]);
	free(jobs->jobs);
	intern_free(&jobs->programs);
	arena_free(&jobs->arena);
}
