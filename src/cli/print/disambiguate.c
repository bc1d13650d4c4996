// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "print/disambiguate.h"
#include "print/row_text.h"

// A row whose text equals another row's text. Its stack is needed to find a difference. A mark is a
// frame that the row's text must show (rows/attribution.h).
struct ambiguous_row {
	const struct row *row;
	char *text;
	size_t number; // the row's index
	struct resolved_stack stack;
	struct attribution_marks marks;
};

static const struct attribution_mark nothing = {.index = SIZE_MAX};

// The parts by which two frames are compared, the most useful to a reader first. All frames are
// compared by one part before the next part is compared.
enum part { PART_NAME, PART_LINE, PART_OFFSET, PARTS };

// Compares this part of the two frames. Returns a number as strcmp() does.
static int
compare_frames(const struct resolved_frame *a, const struct resolved_frame *b,
	enum part part)
{
	unsigned line_a = resolved_is_line(a) ? a->frame->line : a->call ? a->call->line : 0;
	unsigned line_b = resolved_is_line(b) ? b->frame->line : b->call ? b->call->line : 0;
	uint64_t offset_a = a->frame ? a->frame->offset : 0;
	uint64_t offset_b = b->frame ? b->frame->offset : 0;

	if (part == PART_LINE)
		return (line_a > line_b) - (line_a < line_b);
	if (part == PART_OFFSET)
		return (offset_a > offset_b) - (offset_a < offset_b);
	int order = strcmp(a->name, b->name);
	return order ? order : strcmp(resolved_module(a), resolved_module(b));
}

// Returns true if both frames' names are equal when printed in this form.
static bool
read_the_same(const struct resolved_frame *a, const struct resolved_frame *b,
	enum name_form form)
{
	struct compose text_a, text_b;

	compose_begin(&text_a);
	name_print(text_a.to, a->name, form);
	char *of_a = compose_end(&text_a);
	compose_begin(&text_b);
	name_print(text_b.to, b->name, form);
	char *of_b = compose_end(&text_b);
	bool are_same = strcmp(of_a, of_b) == 0;
	free(of_a);
	free(of_b);
	return are_same;
}

// Returns the shortest form in which the two frames' names differ.
static enum name_form
form_of_difference(const struct resolved_frame *a, const struct resolved_frame *b)
{
	enum name_form form = NAME_PLAIN;

	// If the names are equal, the frames differ only in their modules. Then a longer form of the
	// name does not help.
	if (!resolved_is_function(a) || !resolved_is_function(b)
			|| strcmp(a->name, b->name) == 0)
		return NAME_PLAIN;
	while (form < NAME_WHOLE && read_the_same(a, b, form))
		form++;
	return form;
}

// Returns the index of the next script line (rows/attribution.h) outwards from `at`, or SIZE_MAX if
// there is none.
static size_t
next_line(const struct resolved_stack *stack, size_t at)
{
	while (at-- > 0)
		if (resolved_is_line(&stack->frames[at]))
			return at;
	return SIZE_MAX;
}

// Compares only the script lines of both stacks, from the innermost on. These are more useful to a
// reader than an interpreter's own frames. Sets *mark to the first script line of `a` that differs.
static int
compare_lines(const struct ambiguous_row *a, const struct ambiguous_row *b,
	struct attribution_mark *mark)
{
	size_t at_a = next_line(&a->stack, a->stack.count);
	size_t at_b = next_line(&b->stack, b->stack.count);

	for (; at_a != SIZE_MAX && at_b != SIZE_MAX; at_a = next_line(&a->stack, at_a),
			at_b = next_line(&b->stack, at_b)) {
		int order = compare_frames(&a->stack.frames[at_a], &b->stack.frames[at_b],
			PART_NAME);
		if (order == 0)
			order = compare_frames(&a->stack.frames[at_a], &b->stack.frames[at_b],
				PART_LINE);
		if (order == 0)
			continue;
		mark->index = at_a;
		return order;
	}
	if (at_a != SIZE_MAX)
		mark->index = at_a;
	return (at_a != SIZE_MAX) - (at_b != SIZE_MAX);
}

// Sets *mark to the frame that tells the two rows apart. The n-th frames, counted from the
// innermost, are the first whose names differ. If they differ only in template arguments, the
// callers' names often differ in the same arguments. Then the outermost of these callers is marked,
// because it is nearest to code written by hand. The search ends at frames whose names differ even
// without template arguments. Then these frames are marked.
static void
mark_arguments(const struct ambiguous_row *a, const struct ambiguous_row *b, size_t n,
	struct attribution_mark *mark)
{
	const struct resolved_stack *of_a = &a->stack;
	const struct resolved_stack *of_b = &b->stack;

	for (; n <= of_a->count && n <= of_b->count; n++) {
		const struct resolved_frame *frame_a = &of_a->frames[of_a->count - n];
		const struct resolved_frame *frame_b = &of_b->frames[of_b->count - n];
		if (compare_frames(frame_a, frame_b, PART_NAME) == 0)
			return;
		enum name_form form = form_of_difference(frame_a, frame_b);
		*mark = (struct attribution_mark){.index = of_a->count - n, .form = form};
		if (form == NAME_PLAIN)
			return;
	}
}

// Compares two stacks from the innermost frame on, for qsort(). Sets *mark to the first frame of
// `a` that differs from that of `b`.
static int
compare_stacks(const struct ambiguous_row *a, const struct ambiguous_row *b,
	struct attribution_mark *mark)
{
	size_t count_a = a->stack.count;
	size_t count_b = b->stack.count;

	*mark = nothing;
	int lines = compare_lines(a, b, mark);
	if (lines != 0)
		return lines;
	// In a stack with script lines, the hook in the innermost frame is the least useful. So it is
	// compared last.
	bool has_lines = next_line(&a->stack, count_a) != SIZE_MAX;
	size_t count = count_a < count_b ? count_a : count_b;
	for (enum part part = PART_NAME; part < PARTS; part++) {
		for (size_t k = 1; k <= count; k++) {
			size_t i = has_lines ? k % count + 1 : k;
			const struct resolved_frame *of_a = &a->stack.frames[count_a - i];
			const struct resolved_frame *of_b = &b->stack.frames[count_b - i];
			int order = compare_frames(of_a, of_b, part);
			if (order == 0)
				continue;
			*mark = (struct attribution_mark){.index = count_a - i,
				.with_line = part == PART_LINE, .with_offset = part == PART_OFFSET};
			if (part == PART_NAME)
				mark_arguments(a, b, i, mark);
			return order;
		}
		if (count_a == count_b)
			continue;
		// The names in all compared frames are equal, but one stack has more frames. In that stack
		// the first additional frame is marked, in the other stack the outermost frame.
		*mark = (struct attribution_mark){
			.index = count_a > count_b ? count_a - count_b - 1 : 0};
		return count_a < count_b ? -1 : 1;
	}
	return 0;
}

static int
by_text(const void *left, const void *right)
{
	const struct ambiguous_row *a = left, *b = right;
	int order = strcmp(a->text, b->text);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int
by_stack(const void *left, const void *right)
{
	struct attribution_mark mark;
	int order = compare_stacks(left, right, &mark);
	const struct ambiguous_row *a = left, *b = right;
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

// Returns the outer one of the marks that separate a row from its two neighbours. The outer mark separates
// the row from the more similar neighbour.
static struct attribution_mark
farther(struct attribution_mark a, struct attribution_mark b)
{
	if (a.index == SIZE_MAX || b.index == SIZE_MAX)
		return a.index == SIZE_MAX ? b : a;
	if (a.index == b.index)
		return (struct attribution_mark){a.index, a.with_line || b.with_line,
			a.with_offset || b.with_offset, a.form > b.form ? a.form : b.form};
	return a.index < b.index ? a : b;
}

// Adds to the row a mark that separates it from the rows before and behind it. The rows are sorted
// by stack. So these two are the most similar to the row.
static void
mark_row(struct ambiguous_row *row, const struct ambiguous_row *before,
	const struct ambiguous_row *behind)
{
	struct attribution_mark from_before = nothing;
	struct attribution_mark from_behind = nothing;

	if (before)
		compare_stacks(row, before, &from_before);
	if (behind)
		compare_stacks(row, behind, &from_behind);
	struct attribution_mark mark = farther(from_before, from_behind);
	ASSERT(row->marks.count < ATTRIBUTION_MARKS);
	if (mark.index != SIZE_MAX)
		row->marks.marks[row->marks.count++] = mark;
}

static void
tell_apart(struct ambiguous_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		resolved_stack_take(&rows[i].stack, rows[i].row);
	qsort(rows, count, sizeof(*rows), by_stack);
	for (size_t i = 0; i < count; i++) {
		struct ambiguous_row *row = &rows[i];
		struct compose text;
		mark_row(row, i > 0 ? row - 1 : NULL, i + 1 < count ? row + 1 : NULL);
		compose_begin(&text);
		row_text_print(text.to, row->row, &row->stack, &row->marks);
		free(row->text);
		row->text = compose_end(&text);
	}
	for (size_t i = 0; i < count; i++) {
		free(rows[i].stack.frames);
		rows[i].stack = (struct resolved_stack){0};
	}
}

// Finds groups of rows with equal texts, and adds a mark to each row of a group. Returns false if
// no rows that have a stack have equal texts.
static bool
tell_groups_apart(struct ambiguous_row *rows, size_t count)
{
	bool has_any = false;
	size_t end;

	qsort(rows, count, sizeof(*rows), by_text);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && strcmp(rows[i].text, rows[end].text) == 0;)
			end++;
		if (end == i + 1 || rows[i].row->depth == 0)
			continue;
		tell_apart(&rows[i], end - i);
		has_any = true;
	}
	return has_any;
}

char **
disambiguate(const void *rows, size_t size, size_t count)
{
	struct ambiguous_row *all = memory_get(count, sizeof(*all));
	char **texts = memory_get(count, sizeof(*texts));

	for (size_t i = 0; i < count; i++) {
		const struct row *row = (const void *)((const char *)rows + i * size);
		all[i] = (struct ambiguous_row){.row = row, .text = row_text(row), .number = i};
	}
	// A mark separates a row from its neighbours, but maybe not from other rows. So each round adds
	// one more mark to the rows whose texts are still equal.
	for (int round = 0; round < ATTRIBUTION_MARKS; round++)
		if (!tell_groups_apart(all, count))
			break;
	for (size_t i = 0; i < count; i++)
		texts[all[i].number] = all[i].text;
	free(all);
	return texts;
}
