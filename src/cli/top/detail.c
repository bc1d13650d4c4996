// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "print/row_text.h"
#include "top/detail.h"

enum {
	HEADINGS = 2,    // lines above the text that scrolls
	INDENT = 2,
	THREADS = 32,    // at most this many threads are shown, with the highest allocations first
	WIDTH_NUMBER = 12,
};

void
detail_open(struct detail *detail, const struct process_log *log,
	const struct source_table *table)
{
	const struct run *run = follow_last(log->follow)->run;

	if (!run || !table->has_cursor)
		return;
	*detail = (struct detail){.is_open = true};
	source_history_open(&detail->history, log->path, run, &table->cursor);
}

void
detail_take(struct detail *detail)
{
	source_history_take(&detail->history);
}

void
detail_close(struct detail *detail)
{
	source_history_close(&detail->history);
	clip_free(&detail->text);
	*detail = (struct detail){0};
}

static void
add_line(struct clip *clip, const char *text)
{
	clip_text(clip, text);
	clip_end_line(clip);
}

static void
add_numbers(const struct row *row, struct clip *clip)
{
	const struct counts *now = &row->now;
	char bytes[UNIT_TEXT], count[UNIT_TEXT];

	if (row->kind == SOURCE_STACK)
		clip_format(clip, "{%016" PRIx64 "}   ", row->id);
	clip_format(clip, row->is_mapped ? "mapped %s in %s mappings" : "live %s in %s blocks",
		unit_bytes(bytes, now->live), unit_count(count, now->blocks));
	clip_end_line(clip);
	clip_format(clip, row->is_mapped ? "mapped %s in %s in all" : "allocated %s in %s calls",
		unit_bytes(bytes, now->alloc), unit_count(count, now->allocs));
	clip_format(clip, row->is_mapped ? ", unmapped %s in %s" : ", freed %s in %s",
		unit_bytes(bytes, now->free), unit_count(count, now->frees));
	clip_end_line(clip);
	if (row->by.name) {
		clip_format(clip, "%u%% of it by thread %s", row->by.percent, row->by.name);
		clip_end_line(clip);
	}
}

static void
add_stack(const struct row *row, struct clip *clip)
{
	static struct resolved_stack stack;

	add_line(clip, "");
	add_line(clip, "stack, innermost first");
	symbols_resolve(row->frames, row->depth);
	resolved_stack_take(&stack, row);
	for (size_t i = stack.count; i-- > 0;) {
		char *text = row_text_frame(&stack.frames[i]);
		clip_pad(clip, INDENT);
		add_line(clip, text);
		free(text);
	}
}

static int
by_alloc(const void *left, const void *right)
{
	const struct thread *a = left;
	const struct thread *b = right;

	if (a->now.alloc != b->now.alloc)
		return a->now.alloc > b->now.alloc ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void
add_thread(const struct thread *thread, struct clip *clip)
{
	char text[UNIT_TEXT];

	clip_right(clip, unit_bytes(text, thread->now.alloc), WIDTH_NUMBER);
	clip_right(clip, unit_count(text, thread->now.allocs), WIDTH_NUMBER);
	clip_right(clip, unit_bytes(text, thread->now.free), WIDTH_NUMBER);
	clip_right(clip, unit_count(text, thread->now.frees), WIDTH_NUMBER);
	clip_format(clip, "  %s %" PRIu64, thread->name, thread->id);
	clip_end_line(clip);
}

static void
add_threads(const struct run *run, struct clip *clip)
{
	const struct threads *threads = &run->threads;
	size_t shown = threads->count < THREADS ? threads->count : THREADS;

	if (threads->count == 0)
		return;
	struct thread *sorted = memory_get(threads->count, sizeof(*sorted));
	memcpy(sorted, threads->threads, threads->count * sizeof(*sorted));
	qsort(sorted, threads->count, sizeof(*sorted), by_alloc);
	add_line(clip, "");
	add_line(clip, "threads of the process, of all sources, as each was last told of");
	static const char *const headings[] = {"allocated", "allocs", "freed", "frees"};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		clip_right(clip, headings[i], WIDTH_NUMBER);
	add_line(clip, "  thread");
	for (size_t i = 0; i < shown; i++)
		add_thread(&sorted[i], clip);
	if (shown < threads->count) {
		clip_format(clip, "%zu more", threads->count - shown);
		clip_end_line(clip);
	}
	free(sorted);
}

// Returns the row of the chosen source as it is now. A source that holds nothing, and did nothing
// since the snapshot before, has no row in the table. Then a row is made from the run's source with
// the chosen id. The source may have another address now, because the log may have been opened
// again.
static struct row
row_of(const struct source_table *table, const struct top_rows *rows, const struct run *run)
{
	const struct row *cursor = &table->cursor;

	if (table->cursor_row < rows->count && rows->rows[table->cursor_row].id == cursor->id
			&& rows->rows[table->cursor_row].kind == cursor->kind
			&& rows->rows[table->cursor_row].is_mapped == cursor->is_mapped)
		return rows->rows[table->cursor_row];
	const struct run *of = cursor->is_mapped ? run->mapped : run;
	for (size_t i = 0; i < of->source_count; i++) {
		const struct source *source = of->sources[i];
		if (source->id != cursor->id || source->kind != cursor->kind)
			continue;
		struct row row = row_of_source(source);
		row.now = row.before = source->now.counts;
		return row;
	}
	return (struct row){.id = cursor->id, .kind = cursor->kind, .is_mapped = cursor->is_mapped};
}

static void
write_text(struct detail *detail, const struct row *row, const struct run *run, unsigned columns)
{
	struct clip *text = &detail->text;

	clip_begin(text, 0);
	add_numbers(row, text);
	add_line(text, "");
	if (row->kind == SOURCE_STACK || row->kind == SOURCE_OTHER)
		source_history_draw(&detail->history, columns, text);
	else
		add_line(text, "what it has held is not known: it is a sum, of other sources each time");
	if (row->depth > 0)
		add_stack(row, text);
	add_threads(run, text);
}

void
detail_draw(struct detail *detail, struct source_table *table,
	const struct process_log *log, const struct top_rows *rows, size_t lines,
	struct clip *clip)
{
	const struct run *run = follow_last(log->follow)->run;

	if (lines == 0 || !run)
		return;
	struct row row = row_of(table, rows, run);
	source_table_row(table, log->follow, rows, &row, clip);
	table->longest = 0;
	write_text(detail, &row, run, clip->width);
	lines = lines > HEADINGS ? lines - HEADINGS : 1;
	detail->lines = 0;
	const char *end = detail->text.bytes + detail->text.count;
	for (const char *line = detail->text.bytes; line < end; detail->lines++)
		line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
	// What does not fit has a last line that says how much more there is.
	if (lines > 1 && detail->lines > lines)
		lines--;
	detail->page = lines;
	detail_move(detail, 0);
	size_t at = 0, below = detail->line + lines;
	for (char *line = detail->text.bytes; line < end; at++) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		*newline = '\0';
		if (at >= detail->line && at < below) {
			source_table_text(table, line, clip);
			clip_end_line(clip);
		}
		line = newline + 1;
	}
	if (below < detail->lines) {
		clip_style(clip, STYLE_DIM);
		clip_format(clip, "%zu more below", detail->lines - below);
		clip_end_line(clip);
	}
}

void
detail_move(struct detail *detail, int64_t lines)
{
	int64_t most = detail->lines > detail->page ? (int64_t)(detail->lines - detail->page) : 0;
	int64_t line = (int64_t)detail->line + lines;

	detail->line = (size_t)(line < 0 ? 0 : line > most ? most : line);
}
