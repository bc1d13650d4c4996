// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "rows/library.h"
#include "rows/script_line.h"
#include "print/ellipsis.h"
#include "print/row_text.h"
#include "print/table.h"

void
row_text_print(FILE *to, const struct row *row, const struct resolved_stack *stack,
	const struct attribution_marks *marks)
{
	const struct resolved_frame *hook = &stack->frames[stack->count - 1];

	// The hook's name may be mmap64, where the program's source code has mmap.
	if (row->is_mapped && stack->count > 1)
		fprintf(to, "%.*s < ", (int)strcspn(hook->name, "6"), resolved_is_function(hook)
			? hook->name : "mapped");
	attribution_print(to, stack->frames, stack->count, marks);
}

static bool
has_line(const struct resolved_frame *resolved)
{
	return resolved_is_line(resolved)
		|| (resolved->call && resolved->call->file[0] && resolved->call->line > 0);
}

// If no line is known of the function that begins the text, marks the first caller with a line.
// That is the program's line that calls a library. Stacks that were joined may call from different
// lines.
static struct attribution_marks
line_to_show(const struct row *row, const struct resolved_stack *stack)
{
	struct attribution_marks marks = {0};
	const struct resolved_frame *at = attribution_shown(stack->frames, stack->count);

	while (row->id != 0 && !has_line(at) && at > stack->frames && marks.count == 0)
		if (has_line(--at) && !library_has(at))
			marks.marks[marks.count++] = (struct attribution_mark){
				.index = (size_t)(at - stack->frames), .with_line = true};
	return marks;
}

char *
row_text(const struct row *row)
{
	struct resolved_stack stack = {0};
	struct compose text;

	resolved_stack_take(&stack, row);
	const char *word = resolved_word(&stack.frames[0]);
	compose_begin(&text);
	struct attribution_marks marks = line_to_show(row, &stack);
	if (word[0])
		fprintf(text.to, "%s  %s", stack.frames[0].name, word);
	else
		row_text_print(text.to, row, &stack, &marks);
	free(stack.frames);
	return compose_end(&text);
}

char *
row_text_cut(const struct row *row, size_t columns)
{
	char *where = row_text(row);
	char *part = ellipsis_cut(where, NULL, 0, columns);

	free(where);
	return glyph_clean(part);
}

// Returns a line of source code in full, as the log has it.
static char *
whole_line(const struct frame *frame)
{
	char *text = script_line_text(frame);
	char *whole = memory_format("%s [%s]", text, frame->language);

	free(text);
	return whole;
}

char *
row_text_frame(const struct resolved_frame *resolved)
{
	const char *module = resolved_module(resolved);

	if (resolved_is_line(resolved))
		return whole_line(resolved->frame);
	if (resolved->call && resolved->call->file[0])
		return memory_format("%s %s:%u", resolved->name, path_last(resolved->call->file),
			resolved->call->line);
	if (resolved_is_function(resolved) && module[0])
		return memory_format("%s (%s)", resolved->name, module);
	return memory_format("%s", resolved->name);
}

static void
print_frame(FILE *to, const struct resolved_frame *resolved)
{
	if (resolved_is_line(resolved)) {
		char *line = whole_line(resolved->frame);
		fprintf(to, "      %s", line);
		free(line);
		return;
	}
	fprintf(to, "      %s", resolved->name);
	if (resolved->call && resolved->call->file[0])
		fprintf(to, "  %s:%u", resolved->call->file, resolved->call->line);
	if (resolved->frame->module)
		fprintf(to, "  %s", resolved->frame->module->path);
}

void
row_text_stack(struct text_table *table, const struct row *row)
{
	struct resolved_stack stack = {0};
	char id[32];

	if (row->depth == 0)
		return;
	resolved_stack_take(&stack, row);
	snprintf(id, sizeof(id), "    {%016" PRIx64 "}", row->id);
	table_add_text(table, id);
	for (size_t i = stack.count; i-- > 0;) {
		struct compose text;
		compose_begin(&text);
		print_frame(text.to, &stack.frames[i]);
		char *line = compose_end(&text);
		table_add_text(table, line);
		free(line);
	}
	table_add_text(table, "");
	free(stack.frames);
}
