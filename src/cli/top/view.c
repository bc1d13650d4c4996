#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/path.h"
#include "symbols/symbols.h"
#include "top/clip_step.h"
#include "top/view.h"

enum {
	WIDTH_TEXT = 9,   // columns of "1,023 KiB"
	WIDTH_EXACT = 15, // of a number of bytes up to a hundred TB
	WHERE_LEAST = 30, // columns for the last column, before others make room for it
	INDENT = 6,
};

// In this order columns go when there is no room: the last first, but never the one that
// the rows are sorted by.
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

static void
add_process(const struct view *view, const struct followed *last, struct clip *clip)
{
	const struct run *run = last->run;
	struct utsname here;
	char text[UNIT_TEXT];
	int64_t until = view->is_alive && view->now_ms ? view->now_ms : last->time_ms;

	clip_style(clip, STYLE_BOLD);
	clip_text(clip, run->exe[0] ? path_last(run->exe) : "process");
	clip_style(clip, STYLE_PLAIN);
	if (run->pid)
		clip_format(clip, " %ld", run->pid);
	if (run->host[0] && (uname(&here) != 0 || strcmp(here.nodename, run->host) != 0))
		clip_format(clip, " on %s", run->host);
	if (run->start_ms && until > run->start_ms)
		clip_format(clip, ", %s %s", view->is_gone ? "was up" : "up",
			unit_duration(text, until - run->start_ms));
	clip_format(clip, "   snapshot [%" PRIu64 "]", last->number);
	if (last->reason[0])
		clip_format(clip, " %s", last->reason);
	// Whole seconds: "0s ago", "12s ago".
	if (view->now_ms && last->time_ms && last->time_ms <= view->now_ms)
		clip_format(clip, ", %s ago",
			unit_duration(text, (view->now_ms - last->time_ms) / 1000 * 1000));
	if (last->time_ms)
		clip_format(clip, ", %s", unit_time(text, last->time_ms));
	clip_end_line(clip);
}

static void
add_memory(const struct followed *last, struct clip *clip)
{
	char live[UNIT_TEXT];
	char blocks[UNIT_TEXT];
	char bytes[UNIT_TEXT];

	clip_format(clip, "live %s", unit_bytes(live, last->total.live));
	if (!last->run->is_seeds)
		clip_format(clip, " in %s block%s", unit_count(blocks, last->total.blocks),
			last->total.blocks == 1 ? "" : "s");
	if (last->has_memory) {
		uint64_t inside = last->total.live < last->rss ? last->total.live : last->rss;
		clip_format(clip, "   rss %s", unit_bytes(bytes, last->rss));
		clip_format(clip, "   outside %s", unit_bytes(bytes, last->outside));
		clip_format(clip, "   malloc %s",
			unit_percent(bytes, (double)inside, (double)last->rss));
	}
	clip_end_line(clip);
}

// "alloc 1.46 MiB/s in 120/s"
static void
add_rate(const struct followed *last, const char *what, uint64_t bytes, uint64_t calls,
	struct clip *clip)
{
	const char *per = last->interval_ms ? "/s" : "/snapshot";
	char text[MEASURE_TEXT];

	clip_format(clip, "   %s %s%s", what,
		measure_text(text, MEASURE_ALLOC, (int64_t)bytes, last->interval_ms), per);
	if (!last->run->is_seeds)
		clip_format(clip, " in %s%s",
			measure_text(text, MEASURE_ALLOCS, (int64_t)calls, last->interval_ms), per);
}

static void
add_rates(const struct followed *last, struct clip *clip)
{
	const struct counts *more = &last->more;
	char text[MEASURE_TEXT];

	clip_format(clip, "growth %s%s", measure_text(text, MEASURE_GROWTH,
		(int64_t)(more->alloc - more->free), last->interval_ms),
		last->interval_ms ? "/s" : "/snapshot");
	add_rate(last, "alloc", more->alloc, more->allocs, clip);
	add_rate(last, "free", more->free, more->frees, clip);
	if (last->sources)
		clip_format(clip, "   sources %s", unit_count(text, last->sources));
	clip_end_line(clip);
}

// One line for all that is out of the ordinary; when nothing is, for how to get on.
static void
add_remarks(const struct view *view, const struct follow *follow, const char *said,
	struct clip *clip)
{
	const struct run *run = follow_last(follow)->run;
	const char *between = "";

	clip_style(clip, STYLE_YELLOW);
	if (view->is_gone) {
		clip_format(clip, "%sthe process has ended", between);
		between = "; ";
	}
	if (view->is_paused) {
		clip_format(clip, "%spaused: blank goes on", between);
		between = "; ";
	}
	if (said[0]) {
		clip_format(clip, "%s%s", between, said);
		between = "; ";
	}
	if (follow_lost(follow)) {
		clip_format(clip, "%solder snapshots of the log are gone: what has not moved since is in "
			"{rest}", between);
		between = "; ";
	}
	for (size_t i = 0; run && i < run->loss_count; i++) {
		clip_format(clip, "%s%s%s=%" PRIu64, between, i ? "" : "losses ", run->losses[i].name,
			run->losses[i].count);
		between = " ";
	}
	for (size_t i = 0; run && i < run->note_count; i++) {
		clip_format(clip, "%s%s", between[0] ? "; " : "", run->notes[i]);
		between = "; ";
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
	const struct followed *last = follow_last(follow);

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
add_headings(const struct view *view, int64_t interval_ms, struct clip *clip)
{
	bool shown[MEASURES];
	char text[MEASURE_TEXT];

	choose_columns(view, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		bool is_sorted = i == (int)view->by;
		if (!shown[i])
			continue;
		snprintf(text, sizeof(text), "%s%s%s", is_sorted ? view->reverse ? "^" : "*" : "",
			measures[i].heading, !measures[i].is_rate ? "" : interval_ms ? "/s" : "/snapshot");
		clip_style(clip, is_sorted ? STYLE_BOLD : STYLE_DIM);
		clip_right(clip, text, column_width());
		clip_style(clip, STYLE_PLAIN);
		clip_text(clip, " ");
	}
	clip_style(clip, STYLE_DIM);
	clip_text(clip, " where");
	clip_end_line(clip);
}

static void
add_values(const struct view *view, const int64_t values[MEASURES],
	const struct followed *last, struct clip *clip)
{
	bool shown[MEASURES];
	char text[MEASURE_TEXT];

	choose_columns(view, clip->width, shown);
	for (int i = 0; i < MEASURES; i++) {
		if (!shown[i])
			continue;
		measure_text(text, (enum measure)i, values[i], last->interval_ms);
		// The first pmem counted no calls.
		bool is_known = measures[i].is_bytes || !last->run->is_seeds;
		clip_right(clip, is_known ? text : "-", column_width());
		clip_text(clip, " ");
	}
	clip_text(clip, " ");
}

// Before the first of them is drawn: each call may start other programs.
static void
resolve(const struct standings *standings, size_t row, size_t end)
{
	struct symbols_wanted wanted = {0};

	for (; row < end && row < standings->count; row++)
		symbols_want(&wanted, standings->rows[row].row.frames, standings->rows[row].row.depth);
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
add_row(const struct view *view, const struct ranked *ranked, size_t first, size_t end,
	const struct followed *last, struct clip *clip)
{
	const struct steps *steps = steps_of(&ranked->row);
	size_t count = 1 + (view->stacks && ranked->row.depth > 0 ? steps->count : 0);

	for (size_t line = first; line < end && line < count; line++) {
		if (line == 0) {
			add_values(view, ranked->values, last, clip);
			clip_where(clip, steps);
		} else {
			clip_pad(clip, INDENT);
			clip_step(clip, &steps->steps[steps->count - line]);
		}
		clip_end_line(clip);
	}
	return count;
}

void
view_table(const struct view *view, const struct follow *follow,
	const struct standings *standings, unsigned lines, struct clip *clip)
{
	const struct followed *last = follow_last(follow);
	size_t first = view->line;

	if (lines == 0)
		return;
	add_headings(view, last->interval_ms, clip);
	lines--;
	resolve(standings, view->row, view->row + lines);
	for (size_t i = view->row; i < standings->count && lines > 0; i++) {
		size_t count = add_row(view, &standings->rows[i], first, first + lines, last, clip);
		size_t added = count > first ? count - first : 0;
		lines -= added < lines ? (unsigned)added : lines;
		first = 0;
	}
}

static void
add_cut(const struct view *view, const int64_t values[MEASURES], size_t count,
	const struct followed *last, struct clip *clip)
{
	if (count == 0)
		return;
	add_values(view, values, last, clip);
	clip_format(clip, "%zu more source%s", count, count == 1 ? "" : "s");
	clip_end_line(clip);
}

void
view_rows(const struct view *view, const struct follow *follow,
	const struct standings *standings, size_t rows, struct clip *clip)
{
	const struct followed *last = follow_last(follow);
	int64_t cut[MEASURES] = {0};
	size_t cut_count = 0;
	size_t i = 0;

	add_headings(view, last->interval_ms, clip);
	resolve(standings, 0, rows);
	for (; i < standings->count && standings->rows[i].row.kind == SOURCE_STACK; i++) {
		if (i < rows) {
			add_row(view, &standings->rows[i], 0, SIZE_MAX, last, clip);
			continue;
		}
		cut_count++;
		for (int k = 0; k < MEASURES; k++)
			cut[k] += standings->rows[i].values[k];
	}
	add_cut(view, cut, cut_count, last, clip);
	for (; i < standings->count; i++)
		add_row(view, &standings->rows[i], 0, SIZE_MAX, last, clip);
}

static size_t
lines_of(const struct view *view, const struct standings *standings, size_t row)
{
	if (!view->stacks || standings->rows[row].row.depth == 0)
		return 1;
	return 1 + steps_of(&standings->rows[row].row)->count;
}

void
view_scroll(struct view *view, const struct standings *standings, int64_t lines)
{
	if (view->row >= standings->count)
		view->row = standings->count ? standings->count - 1 : 0;
	// Inlined functions are lines, too.
	size_t most = (size_t)(lines < 0 ? -lines : lines);
	if (view->stacks)
		resolve(standings, view->row > most ? view->row - most : 0, view->row + most);
	for (; lines < 0 && (view->row > 0 || view->line > 0); lines++) {
		if (view->line > 0)
			view->line--;
		else
			view->line = lines_of(view, standings, --view->row) - 1;
	}
	for (; lines > 0 && view->row < standings->count; lines--) {
		if (view->line + 1 < lines_of(view, standings, view->row)) {
			view->line++;
		} else if (view->row + 1 < standings->count) {
			view->row++;
			view->line = 0;
		} else {
			return;
		}
	}
}

void
view_scroll_to_end(struct view *view, const struct standings *standings, unsigned lines)
{
	view->row = standings->count ? standings->count - 1 : 0;
	view->line = standings->count ? lines_of(view, standings, view->row) - 1 : 0;
	// The headings take one.
	view_scroll(view, standings, 2 - (int64_t)lines);
}
