// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/system.h"
#include "print/heading.h"
#include "print/limit_words.h"
#include "top/rows.h"
#include "top/source_table.h"

enum {
	// The log is read only once a second. So a shorter silence does not show that the process
	// writes nothing.
	SILENCE_MS = 2000,
	// A process stands still if it has written nothing for STILL_MS, and for STILL_INTERVALS
	// times the interval between its last two snapshots. The silence begins when the limit on
	// the log's size allows a snapshot again. `leaks` uses the same rule.
	STILL_MS = 60000,
	STILL_INTERVALS = 8,
	PART_TEXT = 128,
};

// Adds a part of the line if the whole part fits. Otherwise adds neither this nor any later part.
// Half a number would be wrong.
__attribute__((format(printf, 2, 3)))
static void
add_part(struct clip *clip, const char *format, ...)
{
	char text[PART_TEXT];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	clip->full |= clip->width > 0 && clip->column + strlen(text) > clip->width;
	clip_text(clip, text);
}

static void
add_process(const struct source_table *table, const struct snapshot *last)
{
	const struct summary *summary = &last->summary;
	const struct run *run = last->run;
	struct clip *clip = table->clip;
	struct utsname here;
	int64_t until = table->is_alive && table->now_ms ? table->now_ms : summary->time_ms;

	clip_style(clip, STYLE_BOLD);
	clip_text(clip, run->name[0] ? run->name : "process");
	clip_style(clip, STYLE_PLAIN);
	if (run->pid)
		clip_format(clip, " %ld", run->pid);
	if (run->host[0] && (uname(&here) != 0 || strcmp(here.nodename, run->host) != 0))
		clip_format(clip, " on %s", run->host);
	if (run->start_ms && until > run->start_ms)
		add_part(clip, ", %s %s", table->is_gone ? "was up" : "up",
			unit_duration(UNIT_ROOM, until - run->start_ms));
	add_part(clip, "   snapshot [%" PRIu64 "]", summary->number);
	if (summary->reason[0])
		add_part(clip, " %s", summary->label[0] ? summary->label : summary->reason);
	// The age is in whole seconds: "0s ago", "12s ago".
	if (table->now_ms && summary->time_ms && summary->time_ms <= table->now_ms)
		add_part(clip, ", %s ago",
			unit_duration(UNIT_ROOM, (table->now_ms - summary->time_ms) / 1000 * 1000));
	if (summary->time_ms)
		add_part(clip, ", %s", unit_time(UNIT_ROOM, summary->time_ms));
	clip_end_line(clip);
}

static void
add_memory(const struct snapshot *last, struct clip *clip)
{
	const struct summary *summary = &last->summary;
	uint64_t live = summary->total.live;

	heading_live(clip, &summary->total, last->run->is_seeds);
	if (summary->has_memory) {
		uint64_t inside = live < summary->rss ? live : summary->rss;
		add_part(clip, "   rss %s", unit_bytes(UNIT_ROOM, summary->rss));
		add_part(clip, "   outside %s", unit_bytes(UNIT_ROOM, summary->outside));
		add_part(clip, "   malloc %s",
			unit_percent(UNIT_ROOM, (double)inside, (double)summary->rss));
	}
	if (summary->mapped.allocs > 0)
		add_part(clip, "   mapped %s", unit_bytes(UNIT_ROOM, summary->mapped.live));
	clip_end_line(clip);
}

void
source_table_look(struct source_table *table, int64_t now_ms)
{
	const struct process_log *log = table->log;

	table->is_alive = log->is_alive;
	table->is_gone = log->is_gone;
	table->now_ms = now_ms;
	if (!process_log_growth(log, now_ms, &table->growth))
		table->growth = 0;
}

int64_t
source_table_interval(const struct source_table *table)
{
	const struct summary *last = &follow_last(table->log->follow)->summary;
	int64_t interval_ms = last->interval_ms;
	int64_t silent_ms = table->now_ms - last->time_ms - last->wait_ms;

	// A process frees much memory at its exit. The exit's rates say nothing about the process's
	// earlier work. So rates are shown as 0.
	if (interval_ms && strcmp(last->reason, "exit") == 0)
		return INTERVAL_STILL;
	if (!interval_ms || !last->time_ms || !table->is_alive || table->is_as_of_then
		|| silent_ms < SILENCE_MS || silent_ms <= interval_ms)
		return interval_ms;
	if (silent_ms >= STILL_MS && silent_ms / STILL_INTERVALS >= interval_ms)
		return INTERVAL_STILL;
	return silent_ms;
}

// Adds a rate of bytes and a rate of calls, like "alloc 1.46 MiB/s in 120/s". Both are of
// allocating, or both of freeing.
static void
add_rate(const struct row *total, int64_t interval_ms, const char *what, enum value bytes,
	enum value calls, bool has_calls, struct clip *clip)
{
	char text[MEASURE_TEXT];

	add_part(clip, "   %s %s%s", what, measure_text(text, MEASURE_ALLOC,
		row_difference(total, bytes), interval_ms), measure_per(interval_ms));
	if (has_calls)
		add_part(clip, " in %s%s", measure_text(text, MEASURE_ALLOCS,
			row_difference(total, calls), interval_ms), measure_per(interval_ms));
}

static void
add_rates(const struct source_table *table, const struct snapshot *last)
{
	const struct summary *summary = &last->summary;
	struct clip *clip = table->clip;
	struct row total = {.now = summary->total, .before = summary->before};
	struct row all = total;
	row_add(&all, &(struct row){.now = last->mapped->summary.total,
		.before = last->mapped->summary.before});
	int64_t interval_ms = source_table_interval(table);
	bool has_calls = !last->run->is_seeds;
	char text[MEASURE_TEXT];

	add_part(clip, "growth %s%s", measure_text(text, MEASURE_GROWTH,
		row_value(&all, VALUE_GROWTH), interval_ms), measure_per(interval_ms));
	add_rate(&total, interval_ms, "alloc", VALUE_ALLOC, VALUE_ALLOCS, has_calls, clip);
	add_rate(&total, interval_ms, "free", VALUE_FREE, VALUE_FREES, has_calls, clip);
	if (summary->sources)
		add_part(clip, "   sources %s", unit_count(text, summary->sources));
	clip_end_line(clip);
}

static void
add_remark(struct clip *clip, const char **between, const char *text)
{
	clip_format(clip, "%s%s", *between, text);
	*between = "; ";
}

// Adds when the memory limit will be reached at the present rate. Adds nothing in the log's first ten
// minutes: such growth may not last.
static void
add_limit(const struct source_table *table, const char **between, const struct run *run)
{
	enum { START_MS = 10 * 60 * 1000, OLD_MS = 5 * 60 * 1000 };
	char words[LIMIT_WORDS];
	// If nobody knows whether the process runs, an old log tells of that time alone.
	bool is_old = !table->is_alive && table->now_ms - run->last_time_ms >= OLD_MS;

	if (run->last_time_ms - run->first_time_ms >= START_MS
			&& limit_words_until(words, &run->limit, table->growth,
				is_old ? run->last_time_ms : 0))
		add_remark(table->clip, between, words);
}

// Adds one line with everything that is unusual. If nothing is unusual, the line names the keys.
static void
add_remarks(const struct source_table *table, const char *said)
{
	const struct follow *follow = table->log->follow;
	struct clip *clip = table->clip;
	const struct run *run = follow_last(follow)->run;
	const char *between = "";

	clip_style(clip, STYLE_YELLOW);
	if (table->is_gone)
		add_remark(clip, &between, "the process has ended");
	if (table->is_paused)
		add_remark(clip, &between, "paused: blank goes on");
	if (said[0])
		add_remark(clip, &between, said);
	if (run && !table->is_gone)
		add_limit(table, &between, run);
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
	if (table->has_keys && !between[0])
		clip_text(clip, "Enter: all of one source, /: search, h: keys, q: quit");
	clip_end_line(clip);
}

void
source_table_head(const struct source_table *table, const char *said)
{
	const struct snapshot *last = follow_last(table->log->follow);
	const struct top_rows *rows = &table->rows;

	if (last->run) {
		add_process(table, last);
		add_memory(last, table->clip);
		add_rates(table, last);
	} else {
		clip_line(table->clip, "no snapshot in the log so far");
	}
	if (table->search.is_typing || table->search.text[0])
		search_draw(&table->search, rows->stack_count, rows->all, "sources", rows->found.now.live,
			table->clip);
	else
		add_remarks(table, said);
}
