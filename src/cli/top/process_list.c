// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/system.h"
#include "log/input.h"
#include "rows/shared_after_fork.h"
#include "top/process_list.h"

enum {
	WIDTH_BYTES = 10,
	WIDTH_EXACT = 15,
	WIDTH_HEARD = 9,
	WIDTH_PID = 8,
};

static bool
is_known(const struct process_list *list, const char *path)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->logs[i]->path, path) == 0)
			return true;
	for (size_t i = 0; i < list->refused_count; i++)
		if (strcmp(list->refused[i], path) == 0)
			return true;
	return false;
}

// Opens logs that have appeared since the last call. Returns true if a log was opened.
static bool
open_new(struct process_list *list)
{
	size_t before = list->count;

	for (char **path = input_paths(list->operands); *path; path++) {
		struct process_log *log = is_known(list, *path) ? NULL : process_log_open(*path);
		if (log) {
			list->logs = memory_grow(list->logs, list->count, &list->room,
				sizeof(*list->logs));
			list->logs[list->count++] = log;
		} else if (!is_known(list, *path)) {
			list->refused = memory_grow(list->refused, list->refused_count, &list->refused_room,
				sizeof(*list->refused));
			list->refused[list->refused_count++] = memory_text(*path, strlen(*path));
			list->is_bad = true;
		}
		char **operand = list->operands;
		while (*operand && *operand != *path)
			operand++;
		if (!*operand)
			free(*path);
	}
	return list->count > before;
}

// Raises the limit on open files, because each log is kept open.
static void
allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void
process_list_open(struct process_list *list, char **operands)
{
	list->operands = operands;
	allow_many_files();
	open_new(list);
	list->is_list = list->count > 1;
	for (char **operand = operands; *operand; operand++)
		list->is_list = list->is_list || (strcmp(*operand, "-") != 0 && path_is_folder(*operand));
}

bool
process_list_take(struct process_list *list, bool progress)
{
	bool any = list->is_list && open_new(list);

	for (size_t i = 0; i < list->count; i++)
		any = process_log_take(list->logs[i], progress) || any;
	if (progress)
		term_progress(NULL, 0, 0);
	return any;
}

// Returns the command line, or the name if there are no arguments, or the log's path.
static const char *
command_of(const struct process_log *log)
{
	const struct run *run = follow_last(log->follow)->run;

	if (!run)
		return "no snapshot yet";
	return run_command_line(run)[0] ? run_command_line(run) : log->path;
}

static bool
is_found(const struct process_log *log, const char *text)
{
	const struct run *run = follow_last(log->follow)->run;
	char pid[UNIT_TEXT];

	snprintf(pid, sizeof(pid), "%ld", run ? run->pid : 0);
	return search_is_in(command_of(log), text) || search_is_in(log->path, text)
		|| (run && (search_is_in(run->name, text) || search_is_in(pid, text)));
}

// The list being sorted, for by_key(): qsort() passes no argument on.
static const struct process_list *sorted;

static double
key_of(const struct process_log *log)
{
	const struct snapshot *last = follow_last(log->follow);
	double growth = 0;

	if (sorted->by_live)
		return last->run ? (double)last->summary.total.live : 0;
	process_log_growth(log, sorted->now_ms, &growth);
	return growth;
}

static int
by_key(const void *left, const void *right)
{
	const struct process_log *a = *(struct process_log *const *)left;
	const struct process_log *b = *(struct process_log *const *)right;
	double key_a = key_of(a);
	double key_b = key_of(b);

	if (a->is_found != b->is_found)
		return a->is_found ? -1 : 1;
	if (key_a != key_b)
		return (key_a > key_b) == sorted->reverse ? 1 : -1;
	return strcmp(a->path, b->path);
}

void
process_list_look(struct process_list *list, int64_t now_ms)
{
	list->now_ms = now_ms;
	list->found = 0;
	for (size_t i = 0; i < list->count; i++) {
		process_log_look(list->logs[i]);
		list->logs[i]->is_found = is_found(list->logs[i], list->search.text);
		list->found += list->logs[i]->is_found;
	}
	sorted = list;
	memory_sort(list->logs, list->count, sizeof(*list->logs), by_key);
}

bool
process_list_is_gone(const struct process_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->logs[i]->is_gone)
			return false;
	return true;
}

static size_t
chosen_place(const struct process_list *list)
{
	for (size_t i = 0; i < list->found; i++)
		if (list->logs[i] == list->chosen)
			return i;
	return 0;
}

struct process_log *
process_list_chosen(const struct process_list *list)
{
	return list->found ? list->logs[chosen_place(list)] : NULL;
}

void
process_list_move(struct process_list *list, int64_t lines)
{
	int64_t place = (int64_t)chosen_place(list) + lines;

	if (place >= (int64_t)list->found)
		place = (int64_t)list->found - 1;
	if (place < 0)
		place = 0;
	list->chosen = list->found ? list->logs[place] : NULL;
}

bool
process_list_finish(struct process_list *list)
{
	bool is_good = !list->is_bad;

	for (size_t i = 0; i < list->count; i++)
		is_good = log_finish(follow_log(list->logs[i]->follow)) && is_good;
	return is_good;
}

static char *
growth_text(char text[UNIT_TEXT], double growth)
{
	return unit_signed_bytes(text, (int64_t)(growth + (growth < 0 ? -0.5 : 0.5)));
}

// Returns the sum of live bytes over the first processes that have not ended. Memory that fork children
// share with their parents is counted once.
static uint64_t
live_of(const struct process_list *list, size_t processes)
{
	struct fork_share *shares = memory_get(processes, sizeof(*shares));
	uint64_t live = 0;
	size_t count = 0;

	for (size_t i = 0; i < processes; i++) {
		const struct snapshot *last = follow_last(list->logs[i]->follow);
		if (list->logs[i]->is_gone || !last->run)
			continue;
		// In a damaged log, `inherited` may be larger than the live bytes.
		uint64_t most = last->summary.total.live, inherited = last->summary.inherited;
		shares[count++] = (struct fork_share){last->run, inherited < most ? inherited : most};
		live += most;
	}
	for (size_t i = 0; i < count; i++)
		live -= shared_after_fork_is_counted(shares, count, i) ? shares[i].inherited : 0;
	free(shares);
	return live;
}

static void
add_head(const struct process_list *list, const char *said, struct clip *clip)
{
	size_t gone = 0;
	double sum = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct process_log *log = list->logs[i];
		double growth = 0;
		gone += log->is_gone;
		if (!log->is_gone && process_log_growth(log, list->now_ms, &growth))
			sum += growth;
	}
	clip_style(clip, STYLE_BOLD);
	clip_format(clip, "%zu process%s", list->count, list->count == 1 ? "" : "es");
	clip_style(clip, STYLE_PLAIN);
	if (gone > 0)
		clip_format(clip, ", %zu of them ended", gone);
	if (gone < list->count) {
		clip_format(clip, "   live %s", unit_bytes(UNIT_ROOM, live_of(list, list->count)));
		clip_format(clip, "   growth %s/h", growth_text(UNIT_ROOM, sum));
	}
	clip_end_line(clip);
	if (list->search.is_typing || list->search.text[0]) {
		search_draw(&list->search, list->found, list->count, "processes",
			live_of(list, list->found), clip);
		return;
	}
	clip_style(clip, said[0] ? STYLE_YELLOW : STYLE_DIM);
	if (said[0])
		clip_text(clip, said);
	else if (list->has_keys)
		clip_text(clip, "Enter: one of them, /: search, h: keys, q: quit");
	clip_end_line(clip);
}

static unsigned
bytes_width(void)
{
	return unit_exact ? WIDTH_EXACT : WIDTH_BYTES;
}

static void
add_cell(struct clip *clip, const char *text, unsigned width)
{
	clip_right(clip, text, width);
	clip_text(clip, " ");
}

static void
add_headings(const struct process_list *list, struct clip *clip)
{
	const char *mark = list->reverse ? "^" : "*";
	char text[UNIT_TEXT];

	clip_style(clip, STYLE_DIM);
	clip_text(clip, " ");
	snprintf(text, sizeof(text), "%sgrowth/h", list->by_live ? "" : mark);
	add_cell(clip, text, bytes_width());
	snprintf(text, sizeof(text), "%slive", list->by_live ? mark : "");
	add_cell(clip, text, bytes_width());
	add_cell(clip, "resident", bytes_width());
	add_cell(clip, "outside", bytes_width());
	add_cell(clip, "heard", WIDTH_HEARD);
	add_cell(clip, "process", WIDTH_PID);
	clip_line(clip, " command");
}

// Returns the time since the last snapshot in whole seconds, or "ended".
static const char *
heard(const struct process_list *list, const struct process_log *log, char text[UNIT_TEXT])
{
	int64_t time_ms = follow_last(log->follow)->summary.time_ms;

	if (log->is_gone)
		return "ended";
	if (!time_ms || time_ms > list->now_ms)
		return "-";
	return unit_duration(text, (list->now_ms - time_ms) / 1000 * 1000);
}

static void
add_process(const struct process_list *list, const struct process_log *log,
	struct clip *clip)
{
	const struct snapshot *last = follow_last(log->follow);
	const struct summary *summary = &last->summary;
	const struct run *run = last->run;
	bool is_chosen = list->has_keys && log == process_list_chosen(list);
	char pid[UNIT_TEXT] = "-";
	double growth;

	if (run && run->pid)
		snprintf(pid, sizeof(pid), "%ld", run->pid);
	clip_style(clip, is_chosen ? STYLE_BOLD : log->is_gone ? STYLE_DIM : STYLE_PLAIN);
	clip_text(clip, is_chosen ? ">" : " ");
	add_cell(clip, process_log_growth(log, list->now_ms, &growth)
		? growth_text(UNIT_ROOM, growth) : "-", bytes_width());
	add_cell(clip, run ? unit_bytes(UNIT_ROOM, summary->total.live) : "-", bytes_width());
	add_cell(clip, summary->has_memory ? unit_bytes(UNIT_ROOM, summary->rss) : "-", bytes_width());
	add_cell(clip, summary->has_memory ? unit_bytes(UNIT_ROOM, summary->outside) : "-",
		bytes_width());
	add_cell(clip, heard(list, log, UNIT_ROOM), WIDTH_HEARD);
	add_cell(clip, pid, WIDTH_PID);
	clip_line(clip, " %s%s%s", command_of(log), run ? "" : ": ", run ? "" : log->path);
}

void
process_list_draw(struct process_list *list, const char *said, size_t most,
	struct clip *clip)
{
	size_t chosen = chosen_place(list);

	// Scrolls so that the chosen process is visible. If the list has `most` processes or more,
	// no line stays empty.
	if (chosen < list->first)
		list->first = chosen;
	if (chosen - list->first >= most)
		list->first = chosen - most + 1;
	if (list->found - list->first < most)
		list->first = list->found > most ? list->found - most : 0;
	add_head(list, said, clip);
	add_headings(list, clip);
	for (size_t i = list->first; i < list->found && i - list->first < most; i++)
		add_process(list, list->logs[i], clip);
}
