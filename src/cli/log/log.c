// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/budget.h"
#include "base/message.h"
#include "base/numbers.h"
#include "base/system.h"
#include "base/term.h"
#include "log/certainty.h"
#include "log/input.h"
#include "log/line.h"
#include "log/log.h"
#include "log/moments.h"
#include "log/snapshot_builder.h"

struct log {
	char *path;
	struct input *input;
	struct raw_line raw; // the line read last
	struct line line;    // contents of that line
	bool holds_line;     // true if the line ends a snapshot and must be taken again
	struct snapshot_builder builder;
	struct arena arena;
	struct run **runs;
	size_t run_count, run_room;
	struct numbers ids;   // gives each run's id a number: the run's index in `by_id`
	struct run **by_id;
	size_t id_room;
	struct run *run; // the run of the header read last; NULL before the first header
	struct run *last;
};

struct log *
log_open(const char *path)
{
	struct input *input = input_open(path);
	if (!input)
		return NULL;
	struct log *log = memory_get(1, sizeof(*log));
	log->path = memory_text(path, strlen(path));
	assert_log = log->path;
	log->input = input;
	snapshot_builder_open(&log->builder, input);
	return log;
}

static struct run *
new_run(struct log *log)
{
	struct run *run = run_new(&log->arena);
	run->certainty = arena_get(&log->arena, sizeof(*run->certainty));
	run->mapped->certainty = arena_get(&log->arena, sizeof(*run->certainty));
	log->runs = memory_grow(log->runs, log->run_count, &log->run_room, sizeof(struct run *));
	log->runs[log->run_count++] = run;
	log->run = run;
	return run;
}

// Returns the current run. Makes a run if no header was read yet, because lines may come without a
// header.
static struct run *
current_run(struct log *log)
{
	return log->run ? log->run : new_run(log);
}

static char *
own(struct log *log, const char *text)
{
	return arena_text(&log->arena, text, strlen(text));
}

// Takes a header line. If a run's header is repeated, its run goes on.
static void
take_header(struct log *log, const struct header *header)
{
	bool is_new = true;
	size_t number = header->run ? numbers_of(&log->ids, header->run, &is_new) : 0;

	if (!is_new) {
		log->run = log->by_id[number];
		ASSERT(log->run->id == header->run);
		return;
	}
	struct run *run = new_run(log);
	if (header->run) {
		log->by_id = memory_grow(log->by_id, number, &log->id_room, sizeof(*log->by_id));
		log->by_id[number] = run;
	}
	run->id = header->run;
	run->pid = (long)header->pid;
	run->ppid = (long)header->ppid;
	run->pidns = (long)header->pidns;
	run->start = own(log, header->start);
	run->start_ms = header->start_ms;
	run->exe = own(log, header->exe);
	run->comm = own(log, header->comm);
	run->name = own(log, path_last(run->exe));
	run->host = own(log, header->host);
	run->show = (unsigned)header->show;
	run->show_empty = (unsigned)header->show_empty;
	run->sampled = header->sampled;
	run->gap = (struct expected_gap){
		.begin = header->begin,
		.rate = header->rate,
		.first = header->first,
		.grown_ms = header->grown_ms,
		.start_ms = header->start_ms,
	};
}

// Takes a `#` line or a snapshot's first line. If a snapshot is still open, it is unfinished, and
// is dropped.
static void
take_outer(struct log *log, const struct line *line)
{
	snapshot_builder_drop(&log->builder,
		line->kind == LINE_RULE ? "its entries do not add up to its totals" : NULL);
	if (line->expected) {
		input_complain(log->input, "%s: expected %s", line->what, line->expected);
		if (line->kind == LINE_HEADER)
			log->run = NULL;
		// The first line of a snapshot cannot be read. Its other lines must not cause a warning
		// each.
		if (line->kind == LINE_RULE)
			log->builder.is_lost = true;
	} else if (line->kind == LINE_RULE) {
		// If a log's headers have no run=, a new run is recognized by a number that does not ascend.
		struct run *run = current_run(log);
		if (run->id == 0 && run->snapshots > 0 && line->summary.number <= run->last_number)
			run = new_run(log);
		snapshot_builder_begin(&log->builder, run, line->summary.number);
	} else if (line->kind == LINE_HEADER) {
		take_header(log, &line->header);
	} else if (line->kind == LINE_MODULE) {
		run_module(current_run(log), line);
	} else if (line->kind == LINE_MOVED) {
		run_moved(current_run(log), line->rest.number);
	} else if (line->kind == LINE_FORKED) {
		current_run(log)->forked_from = (long)line->rest.number;
	} else if (line->kind == LINE_COMMAND) {
		run_command(current_run(log), line->rest.text);
	} else if (line->kind == LINE_CGROUP) {
		run_cgroup(current_run(log), line->rest.text);
	} else if (line->kind == LINE_NOTE) {
		run_note(current_run(log), line->rest.text);
	}
}

// Takes the line that was read last. Returns false if the line ends a snapshot of pmem's first
// version, which has no end line of its own. The caller then completes that snapshot, and takes the
// line again.
static bool
take_line(struct log *log)
{
	struct raw_line *raw = &log->raw;
	struct line *line = &log->line;
	bool is_outer = line->kind >= LINE_HEADER && line->kind <= LINE_RULE;

	if ((is_outer || raw->begins_piece) && snapshot_builder_is_seeds(&log->builder))
		return false;
	if (raw->begins_piece)
		snapshot_builder_drop(&log->builder, NULL);
	raw->begins_piece = false;
	// A header has an empty line before it. If the snapshot before that line was cut off, the empty
	// line must not make the snapshot look complete.
	if (raw->before_header && raw->length > 0)
		snapshot_builder_drop(&log->builder, NULL);
	else if (is_outer)
		take_outer(log, line);
	// Most frames belong to a source whose stack is known. Then builder.open is NULL, and the
	// frame is skipped.
	else if (line->kind != LINE_EMPTY && (line->kind != LINE_FRAME || log->builder.open))
		snapshot_builder_take(&log->builder, line);
	return true;
}

// Reads the next line, unless the last one must be taken again.
static bool
read_line(struct log *log)
{
	struct raw_line *raw = &log->raw;

	if (log->holds_line)
		return true;
	if (!input_next(log->input, raw))
		return false;
	if (log->run)
		log->run->gap.bytes += raw->length + 1;
	// If the log was converted to another system's line ends, each line ends with a carriage
	// return.
	if (raw->length > 0 && raw->text[raw->length - 1] == '\r')
		raw->text[--raw->length] = '\0';
	bool is_text = !raw->cut && strlen(raw->text) == raw->length;
	line_parse(&log->line, is_text ? raw->text : "?");
	return true;
}

const struct snapshot *
log_next(struct log *log)
{
	struct snapshot_builder *builder = &log->builder;
	const struct snapshot *snapshot = NULL;

	while (!snapshot && read_line(log)) {
		log->holds_line = !take_line(log);
		bool is_end = log->raw.length == 0 && snapshot_builder_adds_up(builder)
			&& !log->raw.before_header;
		if (log->holds_line || is_end)
			snapshot = snapshot_builder_apply(builder);
	}
	if (!snapshot && snapshot_builder_is_seeds(builder))
		snapshot = snapshot_builder_apply(builder);
	if (snapshot)
		log->last = snapshot->run;
	return snapshot;
}

const struct snapshot *
log_next_told(struct log *log)
{
	const struct snapshot *snapshot = log_next(log);
	uint64_t of;
	uint64_t done = log_bytes(log, &of);

	term_progress(snapshot ? log_path(log) : NULL, done, of);
	return snapshot;
}

struct run **
log_runs(const struct log *log, size_t *count)
{
	*count = log->run_count;
	return log->runs;
}

struct run *
log_last_run(const struct log *log)
{
	return log->last;
}

const char *
log_path(const struct log *log)
{
	return strcmp(log->path, "-") == 0 ? "standard input" : log->path;
}

uint64_t
log_bytes(const struct log *log, uint64_t *of)
{
	return input_bytes(log->input, of);
}

bool
log_finish(struct log *log)
{
	const struct run *of = NULL;

	for (size_t i = 0; i < log->run_count; i++)
		ASSERT(run_adds_up(log->runs[i]) && run_adds_up(log->runs[i]->mapped));
	// A snapshot that is still open is being written, or was cut off when the process was killed.
	snapshot_builder_drop(&log->builder, NULL);
	for (size_t i = 0; i < log->run_count; i++)
		if (log->runs[i]->is_over) {
			warn("%s: more sources, frames or modules than are told apart: sources beyond %d are "
				"in {rest}", log_path(log), BUDGET_SOURCES);
			break;
		}
	if (log->last)
		return input_is_good(log->input);
	for (size_t i = 0; i < log->run_count; i++)
		if (log->runs[i]->note_count > 0)
			of = log->runs[i];
	// If the run has several notes, only two are printed. The first note says the cause, the
	// last note the result.
	if (of)
		warn("%s: no snapshot in this log; it says: %s%s%s", log_path(log), of->notes[0],
			of->note_count > 1 ? "; " : "", of->note_count > 1 ? of->notes[of->note_count - 1] : "");
	else
		warn("%s: no whole snapshot in it: expected a pmem log, pmem.<pid>.log", log_path(log));
	return false;
}

void
log_close(struct log *log)
{
	for (size_t i = 0; i < log->run_count; i++) {
		moments_free(log->runs[i]);
		run_free(log->runs[i]);
	}
	free(log->runs);
	free(log->by_id);
	numbers_free(&log->ids);
	snapshot_builder_free(&log->builder);
	if (assert_log == log->path)
		assert_log = NULL;
	free(log->path);
	arena_free(&log->arena);
	input_close(log->input);
	free(log);
}
