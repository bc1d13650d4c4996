// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/message.h"
#include "html/collect.h"
#include "html/schedule.h"
#include "log/log.h"
#include "log/moments.h"
#include "print/heading.h"
#include "print/parts_table.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "render/leaks_text.h"
#include "rows/wrapper.h"
#include "service/process_result.h"
#include "service/service.h"
#include "symbols/symbols.h"

static struct collected *
run_of(struct collection *collection, struct log *log, size_t number, struct run *run)
{
	for (size_t i = collection->count; i > 0 && collection->runs[i - 1].log_number == number; i--)
		if (collection->runs[i - 1].run == run)
			return &collection->runs[i - 1];
	collection->runs = memory_grow(collection->runs, collection->count, &collection->room,
		sizeof(*collection->runs));
	struct collected *of = &collection->runs[collection->count++];
	*of = (struct collected){.log = log, .log_number = number, .run = run,
		.history = history_open(run), .result = {.run = run}};
	return of;
}

// Prints sentences on mapped memory, because the page's tables and curves are of malloc's blocks
// only.
static void
print_mapped(FILE *to, const struct report_process *of)
{
	const struct counts *mapped = &of->of->mapped->total;
	struct clip clip = {0};
	char rate[UNIT_TEXT];

	if (mapped->allocs == 0)
		return;
	heading_mapped(&clip, mapped);
	clip_end_line(&clip);
	for (size_t i = 0; i < of->standing; i++) {
		const struct report_finding *finding = &of->findings[i];
		if (!finding->row.is_mapped)
			continue;
		char *where = row_text(&finding->row);
		clip_format(&clip, "%s %s of it leaks: ", leaks_bytes_text(rate, finding->rate),
			leaks_rate_unit(of));
		clip_text(&clip, where);
		clip_end_line(&clip);
		free(where);
	}
	clip_print(to, &clip);
	clip_free(&clip);
}

static size_t
place_of(const struct source *source)
{
	static struct grouping places = {.by = GROUPING_BY_PLACE};
	struct row row = row_of_source(source);

	return grouping_number(&places, &row, NULL);
}

static void
judge(struct collected *of)
{
	struct leaks_asked asked = {.least = LEAKS_LEAST, .min_time = LEAKS_MIN_TIME,
		.min_rate = LEAKS_MIN_RATE, .min_share = LEAKS_MIN_SHARE, .place_of = place_of};
	struct clip labels = {0};
	struct compose words;
	struct findings findings;
	struct process_result *result = &of->result;

	wrapper_learn(of->run);
	symbols_resolve(of->run->frames, of->run->frame_count);
	result->history = of->history;
	// The snapshot at the exit is not judged.
	result->last = of->run->last_number - of->run->ended;
	result->last_ms = of->run->last_time_ms;
	process_result_judge(result, &findings, &asked, log_path(of->log));
	report_make(&of->report, of->run, log_path(of->log), &findings, of->history, LEAKS_MIN_TIME);
	process_result_tell(result, &of->report);
	compose_begin(&words);
	leaks_text_lines(words.to, &of->report, &(struct leaks_style){.min_time = LEAKS_MIN_TIME});
	print_mapped(words.to, &of->report);
	parts_add_largest_labels(&labels, of->run);
	clip_print(words.to, &labels);
	of->words = compose_end(&words);
	findings_free(&findings);
}

static bool
is_as_scanned(const struct scanned_snapshot *scanned, const struct snapshot *snapshot)
{
	return scanned->time_ms == snapshot->summary.time_ms
		&& scanned->live == snapshot->summary.total.live
		&& scanned->inherited == snapshot->summary.inherited
		&& (scanned->run == snapshot->run->id || snapshot->run->id == 0);
}

// Returns true if the log has no further snapshot. Does not read what was written to the log after
// it was scanned.
static bool
is_end(struct log *log, const struct summaries *of)
{
	uint64_t bytes;

	log_bytes(log, &bytes);
	return bytes > of->bytes || !log_next(log);
}

// Reads a log, and reports errors in it. Returns false if the log has other snapshots than were scheduled.
static bool
read_log(struct collection *collection, size_t number)
{
	const struct scheduled *scheduled = &collection->schedule->logs[number];
	const struct summaries *of = &collection->schedule->summaries[number];
	struct log *log = log_open(scheduled->path);
	size_t i = 0;
	bool is_so = true;

	collection->is_good &= log != NULL;
	if (!log)
		return of->count == 0;
	for (; i < of->count; i++) {
		const struct snapshot *snapshot = log_next_told(log);
		if (!snapshot)
			break;
		is_so = is_so && is_as_scanned(&of->all[i], snapshot);
		struct collected *run = run_of(collection, log, number, snapshot->run);
		uint64_t live = snapshot->summary.total.live;
		run->least = run->since == 0 || live < run->least ? live : run->least;
		run->most = run->since == 0 || live > run->most ? live : run->most;
		run->since++;
		process_result_add_work(&run->result, &snapshot->summary);
		if (scheduled->is_one[i]) {
			run->moments = memory_grow(run->moments, run->moment_count, &run->moment_room,
				sizeof(*run->moments));
			struct page_moment *moment = &run->moments[run->moment_count++];
			*moment = (struct page_moment){moment_new(run->run, false), i, run->least, run->most};
			moment_set(moment->known, snapshot);
			run->since = 0;
		}
		history_add(run->history, snapshot);
	}
	is_so = is_end(log, of) && is_so && i == of->count;
	collection->is_good &= log_finish(log);
	return is_so;
}

// Collects the notes that `pmem report` prints on these logs.
static void
note(struct collection *collection)
{
	struct profile_run *runs = memory_get(collection->count, sizeof(*runs));
	struct clip clip = {0};

	for (size_t i = 0; i < collection->count; i++) {
		const struct collected *of = &collection->runs[i];
		size_t last = of->moment_count;
		runs[i] = (struct profile_run){.log = of->log, .run = of->run};
		if (last > 0)
			runs[i].at = of->moments[last - 1].known->summary;
	}
	heading_notes(&clip, runs, collection->count);
	collection->notes = clip_take(&clip);
	free(runs);
}

// Makes the report on all processes together, and its sentences if there are several.
static void
summarize(struct collection *collection)
{
	struct compose words;

	collection->jobs = (struct report_jobs){.by = GROUPING_BY_PLACE, .with_lines = true,
		.least = LEAKS_LEAST};
	for (size_t i = 0; i < collection->count; i++) {
		struct collected *of = &collection->runs[i];
		of->report.number = i;
		jobs_add(&collection->jobs, &of->report, of->result.work, NULL);
		report_add(&collection->report, &of->report);
	}
	report_settle(&collection->report);
	jobs_judge(&collection->jobs, &collection->report);
	collection->report.jobs = &collection->jobs;
	for (size_t i = 0; i < collection->report.count; i++)
		collection->runs[collection->report.processes[i].number].report.job
			= collection->report.processes[i].job;
	if (collection->count == 1)
		return;
	compose_begin(&words);
	service_print_words(words.to, &collection->report);
	collection->words = compose_end(&words);
}

// Closes the logs and frees what was loaded from them, because the logs must be read again.
static void
forget(struct collection *collection)
{
	struct log *log = NULL;

	for (size_t i = 0; i < collection->count; i++) {
		free(collection->runs[i].moments);
		history_close(collection->runs[i].history);
	}
	for (size_t i = 0; i < collection->count; i++) {
		if (collection->runs[i].log != log)
			log_close(collection->runs[i].log);
		log = collection->runs[i].log;
	}
	free(collection->runs);
}

bool
collect(struct collection *collection, const struct schedule *schedule, bool was_told)
{
	bool is_so = true;

	*collection = (struct collection){.schedule = schedule, .is_good = true};
	message_is_quiet = was_told;
	for (size_t i = 0; i < schedule->count; i++)
		is_so = read_log(collection, i) && is_so;
	message_is_quiet = false;
	if (!is_so) {
		forget(collection);
		return false;
	}
	if (collection->count == 0)
		return true;
	for (size_t i = 0; i < collection->count; i++) {
		struct collected *of = &collection->runs[i];
		// A run that ends by exec() has no snapshot at its end. The next run of the log shows that it ended.
		of->result.is_gone = i + 1 < collection->count && of->log_number == of[1].log_number
			&& of->run->pid > 0 && of->run->pid == of[1].run->pid;
		judge(of);
	}
	note(collection);
	summarize(collection);
	return true;
}
