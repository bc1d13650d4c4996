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

// Returns the index of the shown stack in rows->stacks, or their number if it has no row now.
static size_t
index_of(const struct detail *detail, const struct top_rows *rows)
{
	const struct row *shown = &detail->stack;
	size_t found = rows->stack_count;

	for (size_t i = 0; i < rows->stack_count; i++) {
		const struct row *row = &rows->stacks[i];
		if (row->id != shown->id || row->kind != shown->kind || row->is_mapped != shown->is_mapped)
			continue;
		// If several sources have the id, their frames are compared. The source may have another
		// address now, because the log may have been opened again.
		found = i;
		if (row->frames == shown->frames)
			break;
	}
	return found;
}

void
detail_close(struct detail *detail)
{
	source_history_close(&detail->history);
	clip_free(&detail->text);
	*detail = (struct detail){0};
}

void
detail_open(struct detail *detail, const struct source_table *table)
{
	const struct process_log *log = table->log;
	const struct top_rows *rows = &table->rows;
	size_t count = rows->stack_count, shown = detail->is_open ? index_of(detail, rows) : count;

	// Goes round through all stacks. `count` is the place between the last and the first.
	for (size_t i = 1; i <= count; i++) {
		size_t at = (shown + i) % (count + 1);
		if (at == count || rows->stacks[at].place != table->cursor)
			continue;
		detail_close(detail);
		detail->is_open = true;
		detail->stack = rows->stacks[at];
		source_history_open(&detail->history, log->path, follow_last(log->follow)->run, &detail->stack);
		return;
	}
}

static void
add_numbers(const struct row *row, struct clip *clip)
{
	const struct counts *now = &row->now;

	if (row->kind == SOURCE_STACK)
		clip_format(clip, "{%016" PRIx64 "}   ", row->id);
	clip_line(clip, row->is_mapped ? "mapped %s in %s mappings" : "live %s in %s blocks",
		unit_bytes(UNIT_ROOM, now->live), unit_count(UNIT_ROOM, now->blocks));
	clip_format(clip, row->is_mapped ? "mapped %s in %s in all" : "allocated %s in %s calls",
		unit_bytes(UNIT_ROOM, now->alloc), unit_count(UNIT_ROOM, now->allocs));
	clip_line(clip, row->is_mapped ? ", unmapped %s in %s" : ", freed %s in %s",
		unit_bytes(UNIT_ROOM, now->free), unit_count(UNIT_ROOM, now->frees));
	if (row->by.name)
		clip_line(clip, "%u%% of it by thread %s", row->by.percent, row->by.name);
}

static void
add_stack(const struct row *row, struct clip *clip)
{
	static struct resolved_stack stack;

	clip_end_line(clip);
	clip_line(clip, "stack, innermost first");
	resolved_stack_take(&stack, row);
	for (size_t i = stack.count; i-- > 0;) {
		char *text = row_text_frame(&stack.frames[i]);
		clip_pad(clip, INDENT);
		clip_line(clip, "%s", text);
		free(text);
	}
}

static int
by_alloc(const void *left, const void *right)
{
	const struct thread *a = left, *b = right;

	if (a->now.alloc != b->now.alloc)
		return a->now.alloc > b->now.alloc ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static void
add_thread(const struct thread *thread, struct clip *clip)
{
	clip_right(clip, unit_bytes(UNIT_ROOM, thread->now.alloc), WIDTH_NUMBER);
	clip_right(clip, unit_count(UNIT_ROOM, thread->now.allocs), WIDTH_NUMBER);
	clip_right(clip, unit_bytes(UNIT_ROOM, thread->now.free), WIDTH_NUMBER);
	clip_right(clip, unit_count(UNIT_ROOM, thread->now.frees), WIDTH_NUMBER);
	clip_line(clip, "  %s %" PRIu64, thread->name, thread->id);
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
	clip_end_line(clip);
	clip_line(clip, "threads of the process, of all sources, as each was last told of");
	static const char *const headings[] = {"allocated", "allocs", "freed", "frees"};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		clip_right(clip, headings[i], WIDTH_NUMBER);
	clip_line(clip, "  thread");
	for (size_t i = 0; i < shown; i++)
		add_thread(&sorted[i], clip);
	if (shown < threads->count)
		clip_line(clip, "%zu more", threads->count - shown);
	free(sorted);
}

// Updates the row of the shown stack. A stack that holds nothing, and did nothing since the snapshot
// before, has no row in the table. Then a row is made from the run's source.
static void
update(struct detail *detail, const struct top_rows *rows, const struct run *run)
{
	struct row *stack = &detail->stack;
	const struct run *of = stack->is_mapped ? run->mapped : run;
	const struct source *source = of && stack->kind == SOURCE_STACK ? run_find(of, stack->id) : NULL;
	size_t at = index_of(detail, rows), place = stack->place;

	if (at < rows->stack_count) {
		*stack = rows->stacks[at];
		return;
	}
	*stack = source ? row_of_source(source)
		: (struct row){.id = stack->id, .kind = stack->kind, .is_mapped = stack->is_mapped};
	stack->place = place;
	if (source)
		stack->now = stack->before = source->now.counts;
}

// Says which of its row's stacks is shown, unless the row has only one.
static void
add_number(const struct detail *detail, const struct top_rows *rows, struct clip *clip)
{
	size_t count = 0, number = 0, shown = index_of(detail, rows);

	for (size_t i = 0; i < rows->stack_count; i++) {
		count += rows->stacks[i].place == detail->stack.place;
		number = i == shown ? count : number;
	}
	if (number > 0 && count > 1)
		clip_line(clip, "stack %zu of %zu, the largest first; Enter: the next", number, count);
}

static void
write_text(struct detail *detail, const struct top_rows *rows, const struct run *run, unsigned columns)
{
	const struct row *row = &detail->stack;
	struct clip *text = &detail->text;

	clip_begin(text, 0);
	add_number(detail, rows, text);
	add_numbers(row, text);
	clip_end_line(text);
	if (row->kind == SOURCE_STACK || row->kind == SOURCE_OTHER)
		source_history_draw(&detail->history, columns, text);
	else
		clip_line(text, "what it has held is not known: it is a sum, of other sources each time");
	if (row->depth > 0)
		add_stack(row, text);
	add_threads(run, text);
}

void
detail_draw(struct detail *detail, struct source_table *table, size_t lines)
{
	const struct run *run = follow_last(table->log->follow)->run;
	const struct top_rows *rows = &table->rows;

	if (lines == 0 || !run)
		return;
	update(detail, rows, run);
	struct row row = detail->stack;
	for (size_t i = 0; i < rows->count; i++)
		row = rows->rows[i].place == row.place ? rows->rows[i] : row;
	source_table_row(table, &row);
	table->longest = 0;
	write_text(detail, rows, run, table->clip->width);
	lines = lines > HEADINGS ? lines - HEADINGS : 1;
	detail->lines = 0;
	char *text = detail->text.lines.at;
	const char *end = text + detail->text.lines.count;
	for (const char *line = text; line < end; detail->lines++)
		line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
	// What does not fit has a last line that says how much more there is.
	if (lines > 1 && detail->lines > lines)
		lines--;
	detail->page = lines;
	detail_move(detail, 0);
	size_t at = 0, below = detail->line + lines;
	for (char *line = text; line < end; at++) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		*newline = '\0';
		if (at >= detail->line && at < below) {
			source_table_text(table, line);
			clip_end_line(table->clip);
		}
		line = newline + 1;
	}
	if (below < detail->lines) {
		clip_style(table->clip, STYLE_DIM);
		clip_line(table->clip, "%zu more below", detail->lines - below);
	}
}

void
detail_move(struct detail *detail, int64_t lines)
{
	int64_t most = detail->lines > detail->page ? (int64_t)(detail->lines - detail->page) : 0;
	int64_t line = (int64_t)detail->line + lines;

	detail->line = (size_t)(line < 0 ? 0 : line > most ? most : line);
}
