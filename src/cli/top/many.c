// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "log/input.h"
#include "rows/shared_after_fork.h"
#include "top/many.h"

enum {
	WIDTH_BYTES = 10,
	WIDTH_EXACT = 15,
	WIDTH_HEARD = 9,
	WIDTH_PID = 8,
	WIDTH_NAME = 16,
};

static bool
is_known(const struct many *many, const char *path)
{
	for (size_t i = 0; i < many->count; i++)
		if (strcmp(many->logs[i]->path, path) == 0)
			return true;
	for (size_t i = 0; i < many->refused_count; i++)
		if (strcmp(many->refused[i], path) == 0)
			return true;
	return false;
}

static bool
is_folder(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void
refuse(struct many *many, const char *path)
{
	many->refused = memory_grow(many->refused, many->refused_count, &many->refused_room,
		sizeof(*many->refused));
	many->refused[many->refused_count++] = memory_text(path, strlen(path));
	many->is_bad = true;
}

static bool
is_operand(const struct many *many, const char *path)
{
	for (char **operand = many->operands; *operand; operand++)
		if (*operand == path)
			return true;
	return false;
}

// Those that are there and were not. Whether there were any.
static bool
open_new(struct many *many)
{
	size_t before = many->count;

	for (char **path = input_paths(many->operands); *path; path++) {
		struct process_log *log = is_known(many, *path) ? NULL : process_log_open(*path);
		if (log) {
			many->logs = memory_grow(many->logs, many->count, &many->room,
				sizeof(*many->logs));
			many->logs[many->count++] = log;
		} else if (!is_known(many, *path)) {
			refuse(many, *path);
		}
		if (!is_operand(many, *path))
			free(*path);
	}
	return many->count > before;
}

// Each log is a file that is open.
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
many_open(struct many *many, char **operands)
{
	many->operands = operands;
	allow_many_files();
	open_new(many);
	many->is_list = many->count > 1;
	for (char **operand = operands; *operand; operand++)
		many->is_list = many->is_list || is_folder(*operand);
}

bool
many_take(struct many *many, bool progress)
{
	bool any = many->is_list && open_new(many);

	for (size_t i = 0; i < many->count; i++)
		any = process_log_take(many->logs[i], progress) || any;
	if (progress)
		term_progress(NULL, 0, 0);
	return any;
}

// For qsort().
static const struct many *sorted;

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

	if (key_a != key_b)
		return (key_a > key_b) == sorted->reverse ? 1 : -1;
	return strcmp(a->path, b->path);
}

void
many_look(struct many *many, int64_t now_ms)
{
	many->now_ms = now_ms;
	for (size_t i = 0; i < many->count; i++)
		process_log_look(many->logs[i]);
	sorted = many;
	if (many->count > 1)
		qsort(many->logs, many->count, sizeof(*many->logs), by_key);
}

bool
many_are_gone(const struct many *many)
{
	for (size_t i = 0; i < many->count; i++)
		if (!many->logs[i]->is_gone)
			return false;
	return true;
}

static size_t
chosen_place(const struct many *many)
{
	for (size_t i = 0; i < many->count; i++)
		if (many->logs[i] == many->chosen)
			return i;
	return 0;
}

struct process_log *
many_chosen(const struct many *many)
{
	return many->count ? many->logs[chosen_place(many)] : NULL;
}

void
many_move(struct many *many, int64_t lines)
{
	int64_t place = (int64_t)chosen_place(many) + lines;

	if (place >= (int64_t)many->count)
		place = (int64_t)many->count - 1;
	if (place < 0)
		place = 0;
	many->chosen = many->count ? many->logs[place] : NULL;
}

bool
many_finish(struct many *many)
{
	bool is_good = !many->is_bad;

	for (size_t i = 0; i < many->count; i++)
		is_good = follow_finish(many->logs[i]->follow) && is_good;
	return is_good;
}

static char *
growth_text(char text[UNIT_TEXT], double growth)
{
	return unit_signed_bytes(text, (int64_t)(growth + (growth < 0 ? -0.5 : 0.5)));
}

// Of all that have not ended; what fork's children have from before it once.
static uint64_t
live_of_all(const struct many *many)
{
	struct fork_share *shares = memory_get(many->count, sizeof(*shares));
	uint64_t live = 0;
	size_t count = 0;

	for (size_t i = 0; i < many->count; i++) {
		const struct snapshot *last = follow_last(many->logs[i]->follow);
		if (many->logs[i]->is_gone || !last->run)
			continue;
		// What a damaged log says has no limits.
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
add_head(const struct many *many, const char *said, struct clip *clip)
{
	char text[UNIT_TEXT];
	size_t gone = 0;
	double sum = 0;

	for (size_t i = 0; i < many->count; i++) {
		const struct process_log *log = many->logs[i];
		double growth = 0;
		gone += log->is_gone;
		if (!log->is_gone && process_log_growth(log, many->now_ms, &growth))
			sum += growth;
	}
	clip_style(clip, STYLE_BOLD);
	clip_format(clip, "%zu process%s", many->count, many->count == 1 ? "" : "es");
	clip_style(clip, STYLE_PLAIN);
	if (gone > 0)
		clip_format(clip, ", %zu of them ended", gone);
	if (gone < many->count) {
		clip_format(clip, "   live %s", unit_bytes(text, live_of_all(many)));
		clip_format(clip, "   growth %s/h", growth_text(text, sum));
	}
	clip_end_line(clip);
	clip_style(clip, said[0] ? STYLE_YELLOW : STYLE_DIM);
	if (said[0])
		clip_text(clip, said);
	else if (many->has_keys)
		clip_text(clip, "Enter: one of them, h: keys, q: quit");
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
add_headings(const struct many *many, struct clip *clip)
{
	const char *mark = many->reverse ? "^" : "*";
	char text[UNIT_TEXT];

	clip_style(clip, STYLE_DIM);
	clip_text(clip, " ");
	snprintf(text, sizeof(text), "%sgrowth/h", many->by_live ? "" : mark);
	add_cell(clip, text, bytes_width());
	snprintf(text, sizeof(text), "%slive", many->by_live ? mark : "");
	add_cell(clip, text, bytes_width());
	add_cell(clip, "rss", bytes_width());
	add_cell(clip, "outside", bytes_width());
	add_cell(clip, "heard", WIDTH_HEARD);
	add_cell(clip, "pid", WIDTH_PID);
	clip_text(clip, " process");
	clip_pad(clip, clip->column + WIDTH_NAME - (unsigned)strlen("process"));
	clip_text(clip, " log");
	clip_end_line(clip);
}

// How long ago there was a word of it, in whole seconds; or that there will be none.
static const char *
heard(const struct many *many, const struct process_log *log, char text[UNIT_TEXT])
{
	int64_t time_ms = follow_last(log->follow)->summary.time_ms;

	if (log->is_gone)
		return "ended";
	if (!time_ms || time_ms > many->now_ms)
		return "-";
	return unit_duration(text, (many->now_ms - time_ms) / 1000 * 1000);
}

static void
add_process(const struct many *many, const struct process_log *log, struct clip *clip)
{
	const struct snapshot *last = follow_last(log->follow);
	const struct summary *summary = &last->summary;
	const struct run *run = last->run;
	bool is_chosen = many->has_keys && log == many_chosen(many);
	char text[UNIT_TEXT];
	double growth;

	clip_style(clip, is_chosen ? STYLE_BOLD : log->is_gone ? STYLE_DIM : STYLE_PLAIN);
	clip_text(clip, is_chosen ? ">" : " ");
	bool has_growth = process_log_growth(log, many->now_ms, &growth);
	add_cell(clip, has_growth ? growth_text(text, growth) : "-", bytes_width());
	add_cell(clip, run ? unit_bytes(text, summary->total.live) : "-", bytes_width());
	add_cell(clip, summary->has_memory ? unit_bytes(text, summary->rss) : "-", bytes_width());
	add_cell(clip, summary->has_memory ? unit_bytes(text, summary->outside) : "-",
		bytes_width());
	add_cell(clip, heard(many, log, text), WIDTH_HEARD);
	snprintf(text, sizeof(text), "%ld", run ? run->pid : 0);
	add_cell(clip, run && run->pid ? text : "-", WIDTH_PID);
	clip_text(clip, " ");
	unsigned column = clip->column;
	clip_text(clip, run ? run->name : "no snapshot yet");
	clip_pad(clip, column + WIDTH_NAME);
	clip_text(clip, " ");
	clip_text(clip, log->path);
	clip_end_line(clip);
}

void
many_table(struct many *many, const char *said, size_t most, struct clip *clip)
{
	size_t chosen = chosen_place(many);

	// The chosen one is in sight, and no line stays empty that could have one.
	if (chosen < many->first)
		many->first = chosen;
	if (chosen - many->first >= most)
		many->first = chosen - most + 1;
	if (many->count - many->first < most)
		many->first = many->count > most ? many->count - most : 0;
	add_head(many, said, clip);
	add_headings(many, clip);
	for (size_t i = many->first; i < many->count && i - many->first < most; i++)
		add_process(many, many->logs[i], clip);
}
