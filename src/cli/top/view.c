#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/system.h"
#include "symbols/symbols.h"
#include "print/print.h"
#include "top/top.h"

enum {
	WIDTH_TEXT = 9,   // columns of "1,023 KiB"
	WIDTH_EXACT = 15, // of a number of bytes up to a hundred TB
	WIDTH_THREAD = 20, // of a name of 15 and " 100%"
	WHERE_LEAST = 30, // columns for the last column, before others make room for it
	INDENT = 6,
};

// Where there is no room the last go first, but never the one that the rows are sorted by.
static const enum measure order[MEASURES] = {
	MEASURE_LIVE, MEASURE_GROWTH, MEASURE_BLOCKS, MEASURE_ALLOC, MEASURE_CHURN, MEASURE_ALLOCS,
};

static unsigned
column_width(void)
{
	return unit_exact ? WIDTH_EXACT : WIDTH_TEXT + 1;
}

static void
choose_columns(const struct view *view, unsigned width, bool shown[MEASURES])
{
	unsigned least = 1 + column_width() + WHERE_LEAST;
	memset(shown, 0, MEASURES * sizeof(shown[0]));
	shown[view->by] = true;
	for (int i = 0; i < MEASURES; i++) {
		if (shown[order[i]])
			continue;
		least += 1 + column_width();
		shown[order[i]] = width == 0 || least <= width;
	}
}

// Whether there is anything to say in the threads' column, and room.
static bool
shows_threads(const struct view *view, const struct top_rows *rows, unsigned width)
{
	unsigned least = 1 + WIDTH_THREAD + 2 + WHERE_LEAST;
	bool shown[MEASURES];
	choose_columns(view, width, shown);
	for (int i = 0; i < MEASURES; i++)
		least += shown[i] ? 1 + column_width() : 0;
	return rows->has_threads && (width == 0 || least <= width);
}

static void
add_process(const struct view *view, const struct snapshot *last, struct clip *clip)
{
	const struct summary *summary = &last->summary;
	const struct run *run = last->run;
	struct utsname here;
	char text[UNIT_TEXT];
	int64_t until = view->is_alive && view->now_ms ? view->now_ms : summary->time_ms;

	clip_style(clip, STYLE_BOLD);
	clip_text(clip, run->name[0] ? run->name : "process");
	clip_style(clip, STYLE_PLAIN);
	if (run->pid)
		clip_format(clip, " %ld", run->pid);
	if (run->host[0] && (uname(&here) != 0 || strcmp(here.nodename, run->host) != 0))
		clip_format(clip, " on %s", run->host);
	if (run->start_ms && until > run->start_ms)
		clip_format(clip, ", %s %s", view->is_gone ? "was up" : "up",
			unit_duration(text, until - run->start_ms));
	clip_format(clip, "   snapshot [%" PRIu64 "]", summary->number);
	if (summary->reason[0])
		clip_format(clip, " %s", summary->reason);
	// Whole seconds: "0s ago", "12s ago".
	if (view->now_ms && summary->time_ms && summary->time_ms <= view->now_ms)
		clip_format(clip, ", %s ago",
			unit_duration(text, (view->now_ms - summary->time_ms) / 1000 * 1000));
	if (summary->time_ms)
		clip_format(clip, ", %s", unit_time(text, summary->time_ms));
	clip_end_line(clip);
}

static void
add_memory(const struct snapshot *last, struct clip *clip)
{
	const struct summary *summary = &last->summary;
	uint64_t live = summary->total.live;
	char text[UNIT_TEXT];

	heading_live(clip, &summary->total, last->run->is_seeds);
	if (summary->has_memory) {
		uint64_t inside = live < summary->rss ? live : summary->rss;
		clip_format(clip, "   rss %s", unit_bytes(text, summary->rss));
		clip_format(clip, "   outside %s", unit_bytes(text, summary->outside));
		clip_format(clip, "   malloc %s",
			unit_percent(text, (double)inside, (double)summary->rss));
	}
	clip_end_line(clip);
}

static const char *
per(int64_t interval_ms)
{
	return interval_ms ? "/s" : "/snapshot";
}

// "alloc 1.46 MiB/s in 120/s"
static void
add_rate(const struct snapshot *last, const char *what, enum value bytes, enum value calls,
	const struct row *total, struct clip *clip)
{
	int64_t interval_ms = last->summary.interval_ms;
	char text[MEASURE_TEXT];

	clip_format(clip, "   %s %s%s", what, measure_text(text, MEASURE_ALLOC,
		row_difference(total, bytes), interval_ms), per(interval_ms));
	if (!last->run->is_seeds)
		clip_format(clip, " in %s%s", measure_text(text, MEASURE_ALLOCS,
			row_difference(total, calls), interval_ms), per(interval_ms));
}

static void
add_rates(const struct snapshot *last, struct clip *clip)
{
	const struct summary *summary = &last->summary;
	struct row total = {.now = summary->total, .before = summary->before};
	char text[MEASURE_TEXT];

	clip_format(clip, "growth %s%s", measure_text(text, MEASURE_GROWTH,
		row_value(&total, VALUE_GROWTH), summary->interval_ms), per(summary->interval_ms));
	add_rate(last, "alloc", VALUE_ALLOC, VALUE_ALLOCS, &total, clip);
	add_rate(last, "free", VALUE_FREE, VALUE_FREES, &total, clip);
	if (summary->sources)
		clip_format(clip, "   sources %s", unit_count(text, summary->sources));
	clip_end_line(clip);
}

static void
add_remark(struct clip *clip, const char **between, const char *text)
{
	clip_format(clip, "%s%s", *between, text);
	*between = "; ";
}

// One line for all that is out of the ordinary; when nothing is, for how to get on.
static void
add_remarks(const struct view *view, const struct follow *follow, const char *said,
	struct clip *clip)
{
	const struct run *run = follow_last(follow)->run;
	const char *between = "";

	clip_style(clip, STYLE_YELLOW);
	if (view->is_gone)
		add_remark(clip, &between, "the process has ended");
	if (view->is_paused)
		add_remark(clip, &between, "paused: blank goes on");
	if (said[0])
		add_remark(clip, &between, said);
	if (follow_lost(follow))
		add_remark(clip, &between,
			"older snapshots of the log are gone: what has not moved since is in {rest}");
	if (run && run->sampled > 0)
		add_remark(clip, &between, "sampled: all numbers are estimates");
	for (size_t i = 0; run && i < run->loss_count; i++) {
		clip_format(clip, "%s%s%s=%" PRIu64, between, i ? "" : "losses ", run->losses[i].name,
			run->losses[i].count);
		between = " ";
	}
	for (size_t i = 0; run && i < run->note_count; i++) {
		between = between[0] ? "; " : "";
		add_remark(clip, &between, run->notes[i]);
	}
	clip_style(clip, STYLE_DIM);
	if (view->has_keys && !between[0])
		clip_text(clip, "h: keys, q: quit");
	clip_end_line(clip);
}

void
view_head(const struct view *view, const struct follow *follow, const char *said,
	struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);

	if (last->run) {
		add_process(view, last, clip);
		add_memory(last, clip);
		add_rates(last, clip);
	} else {
		clip_text(clip, "no snapshot in the log so far");
		clip_end_line(clip);
	}
	add_remarks(view, follow, said, clip);
}

static void
add_headings(const struct view *view, const struct top_rows *rows, int64_t interval_ms,
	struct clip *clip)
{
	bool shown[MEASURES];
	char text[MEASURE_TEXT];

	choose_columns(view, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		bool is_sorted = i == (int)view->by;
		if (!shown[i])
			continue;
		snprintf(text, sizeof(text), "%s%s%s", is_sorted ? view->reverse ? "^" : "*" : "",
			measure_names[i], measure_is_rate((enum measure)i) ? per(interval_ms) : "");
		clip_style(clip, is_sorted ? STYLE_BOLD : STYLE_DIM);
		clip_right(clip, text, column_width());
		clip_style(clip, STYLE_PLAIN);
		clip_text(clip, " ");
	}
	clip_style(clip, STYLE_DIM);
	clip_text(clip, " ");
	if (shows_threads(view, rows, clip->width)) {
		clip_text(clip, "thread");
		clip_pad(clip, clip->column + WIDTH_THREAD + 2 - (unsigned)strlen("thread"));
	}
	clip_text(clip, "where");
	clip_end_line(clip);
}

// Whose the source mostly is, as far as one is: its name, and its share.
static void
add_thread(const struct share *by, struct clip *clip)
{
	unsigned end = clip->column + WIDTH_THREAD + 2;

	if (by->name)
		clip_format(clip, "%s %u%%", by->name, by->percent);
	clip_pad(clip, end);
}

static void
add_values(const struct view *view, const struct top_rows *rows, const struct row *row,
	const struct snapshot *last, struct clip *clip)
{
	bool is_sampled = last->run->sampled > 0;
	bool shown[MEASURES];
	char text[MEASURE_TEXT + 1] = "~";

	choose_columns(view, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		enum measure measure = (enum measure)i;
		if (!shown[i])
			continue;
		measure_text(text + is_sampled, measure, measure_value(row, measure),
			last->summary.interval_ms);
		// The first pmem counted no calls.
		bool is_known = measure_is_bytes(measure) || !last->run->is_seeds;
		clip_right(clip, is_known ? text : "-", column_width());
		clip_text(clip, " ");
	}
	clip_text(clip, " ");
	if (shows_threads(view, rows, clip->width))
		add_thread(&row->by, clip);
}

// Before the first of them is drawn: each call may start other programs.
static void
resolve(const struct top_rows *rows, size_t row, size_t end)
{
	struct symbols_wanted wanted = {0};

	for (; row < end && row < rows->count; row++)
		symbols_want(&wanted, rows->rows[row].frames, rows->rows[row].depth);
	symbols_resolve_wanted(&wanted);
}

static const struct steps *
steps_of(const struct row *row)
{
	static struct steps steps;
	steps_take(&steps, row);
	return &steps;
}

// Lines from `first` to before `end` of those that a row takes: its own, then its
// stack's, innermost first. How many there are.
static size_t
add_row(const struct view *view, const struct top_rows *rows, const struct row *row, size_t first,
	size_t end, const struct snapshot *last, struct clip *clip)
{
	const struct steps *steps = steps_of(row);
	size_t count = 1 + (view->stacks && row->depth > 0 ? steps->count : 0);

	for (size_t line = first; line < end && line < count; line++) {
		if (line == 0)
			add_values(view, rows, row, last, clip);
		else
			clip_pad(clip, INDENT);
		char *text = line == 0 ? row_text(row)
			: row_text_step(&steps->steps[steps->count - line]);
		clip_text(clip, text);
		free(text);
		clip_end_line(clip);
	}
	return count;
}

void
view_table(const struct view *view, const struct follow *follow,
	const struct top_rows *rows, unsigned lines, struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);
	size_t first = view->line;

	if (lines == 0)
		return;
	add_headings(view, rows, last->summary.interval_ms, clip);
	lines--;
	resolve(rows, view->row, view->row + lines);
	for (size_t i = view->row; i < rows->count && lines > 0; i++) {
		size_t count = add_row(view, rows, &rows->rows[i], first, first + lines, last, clip);
		size_t added = count > first ? count - first : 0;
		lines -= added < lines ? (unsigned)added : lines;
		first = 0;
	}
}

void
view_rows(const struct view *view, const struct follow *follow, const struct top_rows *rows,
	size_t most, struct clip *clip)
{
	const struct snapshot *last = follow_last(follow);
	struct row more = {0};
	size_t more_count = 0;
	size_t i = 0;

	add_headings(view, rows, last->summary.interval_ms, clip);
	resolve(rows, 0, most);
	for (; i < rows->count && rows->rows[i].kind == SOURCE_STACK; i++) {
		if (i < most) {
			add_row(view, rows, &rows->rows[i], 0, SIZE_MAX, last, clip);
			continue;
		}
		row_add(&more, &rows->rows[i]);
		more_count++;
	}
	if (more_count > 0) {
		add_values(view, rows, &more, last, clip);
		clip_format(clip, "%zu more source%s", more_count, more_count == 1 ? "" : "s");
		clip_end_line(clip);
	}
	for (; i < rows->count; i++)
		add_row(view, rows, &rows->rows[i], 0, SIZE_MAX, last, clip);
}

static size_t
lines_of(const struct view *view, const struct top_rows *rows, size_t row)
{
	if (!view->stacks || rows->rows[row].depth == 0)
		return 1;
	return 1 + steps_of(&rows->rows[row])->count;
}

void
view_scroll(struct view *view, const struct top_rows *rows, int64_t lines)
{
	if (view->row >= rows->count)
		view->row = rows->count ? rows->count - 1 : 0;
	// Inlined functions are lines, too.
	size_t most = (size_t)(lines < 0 ? -lines : lines);
	if (view->stacks)
		resolve(rows, view->row > most ? view->row - most : 0, view->row + most);
	for (; lines < 0 && (view->row > 0 || view->line > 0); lines++) {
		if (view->line > 0)
			view->line--;
		else
			view->line = lines_of(view, rows, --view->row) - 1;
	}
	for (; lines > 0 && view->row < rows->count; lines--) {
		if (view->line + 1 < lines_of(view, rows, view->row)) {
			view->line++;
		} else if (view->row + 1 < rows->count) {
			view->row++;
			view->line = 0;
		} else {
			return;
		}
	}
}

void
view_scroll_to_end(struct view *view, const struct top_rows *rows, unsigned lines)
{
	view->row = rows->count ? rows->count - 1 : 0;
	view->line = rows->count ? lines_of(view, rows, view->row) - 1 : 0;
	// The headings take one.
	view_scroll(view, rows, 2 - (int64_t)lines);
}
