// SPDX-License-Identifier: BSD-2-Clause

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/system.h"
#include "base/unit.h"
#include "trend/history.h"
#include "print/heading.h"
#include "print/parts_table.h"
#include "report/script.h"
#include "service/impossible.h"
#include "service/process_result.h"

struct list {
	struct process_result *runs;
	size_t count, room;
};

// Which time of the logs is judged (process_result_set_span()), and how many logs have no snapshot
// in it.
static struct {
	struct moment from, to;
	bool is_of_several; // several logs were given
	size_t left_out;    // number of logs without a snapshot between `from` and `to`
} asked;

static struct process_result *
result_of(struct list *list, struct run *run)
{
	for (size_t i = list->count; i > 0; i--)
		if (list->runs[i - 1].run == run)
			return &list->runs[i - 1];
	list->runs = memory_grow(list->runs, list->count, &list->room, sizeof(*list->runs));
	list->runs[list->count] = (struct process_result){.run = run,
		.history = history_open(run)};
	return &list->runs[list->count++];
}

// Returns true if the snapshot is before the moment. With `same`, also returns true for the
// snapshot of that moment.
static bool
is_before(const struct summary *summary, const struct moment *moment, bool same)
{
	switch (moment->kind) {
	case MOMENT_NUMBER:
		return summary->number < moment->number || (same && summary->number == moment->number);
	case MOMENT_TIME:
		return summary->time_ms < moment->time_ms
			|| (same && summary->time_ms == moment->time_ms);
	default:
		return same;
	}
}

void
process_result_set_span(char **paths, const struct moment *from, const struct moment *to)
{
	char from_text[UNIT_TEXT];
	char to_text[UNIT_TEXT];

	asked.from = *from;
	asked.to = *to;
	asked.is_of_several = paths[0] && paths[1];
	asked.left_out = 0;
	log_resolve_relative(paths, &asked.from, &asked.to);
	log_resolve_named(paths, &asked.from);
	log_resolve_named(paths, &asked.to);
	if (asked.from.kind == MOMENT_TIME && asked.to.kind == MOMENT_TIME
			&& asked.to.time_ms < asked.from.time_ms)
		options_refuse("leaks", "--from is %s, and --to %s is before it",
			unit_time(from_text, asked.from.time_ms), unit_time(to_text, asked.to.time_ms));
	if (asked.from.kind == MOMENT_NUMBER && asked.to.kind == MOMENT_NUMBER
			&& asked.to.number < asked.from.number)
		options_refuse("leaks", "--from is snapshot [%" PRIu64 "], and --to [%" PRIu64
			"] is before it", asked.from.number, asked.to.number);
}

// The totals of a forked child count from its oldest ancestor's start on. Its own snapshots tell how
// much it allocated and freed: its live bytes grew by the difference of the two.
void
process_result_add_work(struct process_result *result, const struct summary *summary)
{
	const struct run *run = result->run;
	double live = (double)(summary->total.live + summary->mapped.live);

	if (!run->forked_from) {
		result->work = (double)(summary->total.alloc + summary->mapped.alloc);
		return;
	}
	if (result->churn == 0)
		result->inherited = (double)summary->inherited;
	result->churn += (double)summary->churn;
	result->work = fmax(result->churn + live - result->inherited, 0) / 2;
}

// Reads the log to its end. Returns the processes that have snapshots in the time that was set, and
// sets *count. The caller frees the array.
static struct process_result *
read_all(struct log *log, size_t *count)
{
	const struct snapshot *snapshot;
	struct list list = {0};

	while ((snapshot = log_next_told(log))) {
		const struct summary *summary = &snapshot->summary;
		if (is_before(summary, &asked.from, false) || !is_before(summary, &asked.to, true))
			continue;
		struct process_result *result = result_of(&list, snapshot->run);
		if (history_span(result->history).snapshots == 0)
			result->first = summary->number;
		if (strcmp(summary->reason, "exit") == 0)
			result->exit = summary->number;
		else
			result->last = summary->number;
		process_result_add_work(result, summary);
		result->last_ms = summary->time_ms;
		result->wait_ms = summary->wait_ms;
		history_add(result->history, snapshot);
	}
	*count = list.count;
	return list.runs;
}

// Counts a log without a snapshot in the time that was set, and returns true: a server's processes come
// and go. Warns and returns false if the log is the only one, has no times, or a moment is a number.
static bool
leave_out(const struct log *log)
{
	bool by_number = asked.from.kind == MOMENT_NUMBER || asked.to.kind == MOMENT_NUMBER;
	bool has_times = log_last_run(log)->last_time_ms != 0;

	if (asked.is_of_several && !by_number && has_times) {
		asked.left_out++;
		return true;
	}
	warn("%s: no snapshot of that time in this log", log_path(log));
	return false;
}

// Warns in one line how many logs had no snapshot in the time that was set. Returns false if there
// were none.
static bool
tell_left_out(void)
{
	char from[UNIT_TEXT];
	char to[UNIT_TEXT];

	unit_time(from, asked.from.time_ms);
	unit_time(to, asked.to.time_ms);
	if (asked.left_out == 0)
		return false;
	if (asked.from.kind == MOMENT_TIME && asked.to.kind == MOMENT_TIME)
		warn("no snapshot from %s to %s in %zu of the logs: left out", from, to, asked.left_out);
	else if (asked.from.kind == MOMENT_TIME)
		warn("no snapshot from %s on in %zu of the logs: left out", from, asked.left_out);
	else
		warn("no snapshot by %s in %zu of the logs, which begin later: left out", to,
			asked.left_out);
	return true;
}

// Returns true if the program, its script, its own name, or its command equals or matches a pattern.
// Patterns are those of fnmatch(3) (POSIX.1-2008, 2.13). An empty list matches all.
static bool
matches(const struct run *run, const struct option_list *patterns)
{
	if (patterns->count == 0)
		return true;
	// The command as tables show it: report_make() cleans it likewise.
	char *command = glyph_clean(memory_text(run->command, strlen(run->command)));
	char *script = glyph_clean(script_of(run));
	const char *const names[] = {run->exe, path_last(run->exe), run->name, command, script,
		path_last(script)};
	bool is_named = false;

	// A command that was copied may have a character in it that is special in a pattern.
	for (size_t i = 0; i < patterns->count && !is_named; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names) && !is_named; k++)
			is_named = strcmp(patterns->texts[i], names[k]) == 0
				|| fnmatch(patterns->texts[i], names[k], 0) == 0;
	free(script);
	free(command);
	return is_named;
}

static bool
is_silent(const struct process_result *result)
{
	static const int64_t least_ms = 10000;
	return result->silent_ms >= least_ms;
}

static void
look_for_process(struct process_result *result, const char *path)
{
	struct proc process;
	bool known;
	int64_t now_ms = clock_ms(CLOCK_REALTIME);

	if (result->last != result->run->last_number)
		return;
	if (!result->is_gone)
		result->unwritten = run_unwritten(result->run);
	bool is_written = !result->is_gone && written_now(&process, result->run, path, &known);
	result->is_gone |= !is_written && process_is_gone(result->run);
	if (result->is_gone)
		history_is_over(result->history);
	if (!is_written)
		return;
	result->runs = true;
	result->memory = process_memory(&process);
	result->silent_ms = result->last_ms > 0 ? now_ms - result->last_ms : 0;
	if (is_silent(result)
			&& written_not_now(&process, path, result->run->snapshots, result->why))
		result->unwritten = result->why;
	if (!result->unwritten)
		history_lives(result->history, now_ms);
}

void
process_result_judge(struct process_result *result, struct findings *findings,
	const struct leaks_asked *how, const char *path)
{
	look_for_process(result, path);
	findings_make(findings, result->history, how);
	findings->is_cut_short = result->unwritten != NULL;
	if (result->last == result->run->last_number)
		impossible_look(findings, result->run,
			history_gauge_last(result->history, GAUGE_RSS), result->memory);
}

void
process_result_tell(const struct process_result *result, struct report_process *process)
{
	process->runs = result->runs;
	process->is_gone = result->is_gone;
	if (result->unwritten)
		process->unwritten = glyph_clean(memory_text(result->unwritten, strlen(result->unwritten)));
}

// If the last snapshot of a running process is old, adds "; it runs, the last was 1m 42s ago". If
// the log's rate limit delays the next snapshot, adds until when. Until then, a missing snapshot
// does not show that the process rests.
static void
add_silence(struct clip *clip, const struct process_result *result)
{
	char text[UNIT_TEXT];

	if (!is_silent(result))
		return;
	clip_format(clip, "; it runs, the last was %s ago",
		unit_duration(text, result->silent_ms));
	if (result->wait_ms > result->silent_ms)
		clip_format(clip, ", and the log may have no room for the next before %s (PMEM_LOG_HOURS)",
			unit_time(text, result->last_ms + result->wait_ms));
}

// If the log could not be written, adds since when and why. This note comes after all others,
// because the whole answer is valid only up to that time.
static void
add_unwritten(struct clip *clip, const struct process_result *result)
{
	char text[UNIT_TEXT];

	if (!result->unwritten)
		return;
	clip_format(clip, "nothing is known since %s: the log could not be written; ",
		unit_time(text, result->last_ms));
	clip_text(clip, result->unwritten);
	clip_end_line(clip);
}

static void
add_notes(struct clip *clip, const struct process_result *result, struct log *log)
{
	struct profile_run run = {.log = log, .run = result->run};

	// Losses in the log may make verdicts wrong, so they are printed.
	heading_notes(clip, &run, 1);
	add_unwritten(clip, result);
}

// Counts the log's processes in *seen, and those for which `take` is called in *meant.
static bool
take_each(const char *path, const struct option_list *exe, bool is_search,
	process_result_taker *take, size_t *seen, size_t *meant)
{
	struct log *log = log_open(path);
	if (!log)
		return false;
	size_t count;
	struct process_result *runs = read_all(log, &count);
	const struct run *last = log_last_run(log);
	// A log without a snapshot is no error if it was found by searching. It may be a file of
	// another program.
	bool is_good = (!last && is_search) || log_finish(log);
	if (count == 0 && last && matches(last, exe))
		is_good = leave_out(log) && is_good;
	for (size_t i = 0; i < count; i++) {
		bool is_meant = matches(runs[i].run, exe);
		// A run that ends by exec() has no snapshot that says so.
		runs[i].is_gone = i + 1 < count && runs[i].run->pid > 0
			&& runs[i].run->pid == runs[i + 1].run->pid;
		*seen += 1;
		*meant += is_meant;
		if (is_meant)
			take(&runs[i], log);
		history_close(runs[i].history);
	}
	free(runs);
	log_close(log);
	return is_good;
}

bool
process_result_each(char **paths, const struct option_list *exe, bool is_search,
	process_result_taker *take, size_t *meant)
{
	bool is_good = true;
	size_t seen = 0;

	*meant = 0;
	for (; *paths; paths++)
		is_good = take_each(*paths, exe, is_search, take, &seen, meant) && is_good;
	if (tell_left_out() && *meant == 0) {
		is_good = false;
	} else if (seen > 0 && *meant == 0) {
		warn("--exe: none of %zu process%s is of that program", seen, seen > 1 ? "es" : "");
		is_good = false;
	}
	return is_good;
}

char *
process_result_notes(const struct process_result *result, struct log *log)
{
	struct clip clip = {0};

	add_notes(&clip, result, log);
	return clip_take(&clip);
}

void
process_result_print_heading(FILE *to, const struct process_result *result, struct log *log)
{
	struct history_span span = history_span(result->history);
	struct clip clip = {0};
	char text[UNIT_TEXT];

	heading_process(&clip, result->run, log);
	if (span.snapshots > 0) {
		clip_format(&clip, "snapshots [%" PRIu64 "] to [%" PRIu64 "]", result->first,
			result->last);
		if (span.has_times)
			clip_format(&clip, ", %s from %s on", unit_duration(text, span.duration),
				unit_time((char[UNIT_TEXT]){0}, span.start));
		if (span.has_exit)
			clip_format(&clip, ", before the exit in [%" PRIu64 "]", result->exit);
		add_silence(&clip, result);
		clip_end_line(&clip);
	}
	parts_add_largest_labels(&clip, result->run);
	add_notes(&clip, result, log);
	clip_print(to, &clip);
	clip_free(&clip);
}
