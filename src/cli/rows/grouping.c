// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "rows/attribution.h"
#include "rows/grouping.h"
#include "rows/resolved_frame.h"

static void
add_text(struct bytes *key, const char *kind, const char *text)
{
	bytes_add(key, kind, 1);
	bytes_add(key, text, strlen(text) + 1);
}

static void
add_line(struct bytes *key, const struct frame *frame, bool with_lines)
{
	add_text(key, "l", with_lines ? frame->file : path_last(frame->file));
	add_text(key, "f", frame->function);
	if (with_lines)
		bytes_add(key, &frame->line, sizeof(frame->line));
}

// Appends the functions' names to the key. For a function without a name, its module is appended.
// Its offset is not, because offsets differ between builds.
static void
add_names(struct bytes *key, const struct row *row, bool with_lines)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	for (size_t i = 0; i < stack.count; i++) {
		const struct resolved_frame *resolved = &stack.frames[i];
		bool is_function = resolved_is_function(resolved);
		const char *name = is_function || !resolved->frame ? resolved->name
			: resolved_module(resolved);
		if (resolved_is_line(resolved))
			add_line(key, resolved->frame, with_lines);
		else
			add_text(key, is_function ? "f" : "m", name);
	}
}

// Appends the line that the row's text begins with. Without a line, its function and module are
// appended. Code without a name has its offset in its name.
static void
add_place(struct bytes *key, const struct row *row)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	const struct resolved_frame *shown = attribution_shown(stack.frames, stack.count);
	const struct inline_call *call = shown->call;
	if (resolved_is_line(shown)) {
		add_line(key, shown->frame, true);
		return;
	}
	add_text(key, "f", shown->name);
	add_text(key, "m", resolved_module(shown));
	if (call && call->line > 0) {
		add_text(key, "l", call->file);
		bytes_add(key, &call->line, sizeof(call->line));
	}
}

// Returns the row's key, which is valid until the next call.
static const struct bytes *
key_of(const struct grouping *grouping, const struct row *row)
{
	static struct bytes key;

	key.count = 0;
	bytes_add(&key, &row->kind, sizeof(row->kind));
	bytes_add(&key, &row->is_mapped, sizeof(row->is_mapped));
	if (grouping->by == GROUPING_BY_NAME && row->kind == SOURCE_STACK)
		add_names(&key, row, grouping->with_lines);
	else if (grouping->by == GROUPING_BY_PLACE && row->kind == SOURCE_STACK)
		add_place(&key, row);
	else
		bytes_add(&key, &row->id, sizeof(row->id));
	return &key;
}

size_t
grouping_number(struct grouping *grouping, const struct row *row, bool *is_new)
{
	const struct bytes *key = key_of(grouping, row);
	return intern_number(&grouping->keys, key->at, key->count, is_new);
}

size_t
grouping_find(const struct grouping *grouping, const struct row *row)
{
	const struct bytes *key = key_of(grouping, row);
	return intern_find(&grouping->keys, key->at, key->count);
}

// Returns the index of the frame that the stack's text begins with.
static size_t
shown_in(const struct resolved_stack *stack)
{
	return (size_t)(attribution_shown(stack->frames, stack->count) - stack->frames);
}

// Returns true if a text calls both frames the same.
static bool
is_as(const struct resolved_frame *a, const struct resolved_frame *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(resolved_module(a), resolved_module(b)) == 0
		&& (!resolved_is_line(a) || a->frame->line == b->frame->line);
}

bool
grouping_cut(struct row *row, const struct row *other)
{
	static struct resolved_stack stack, with;

	if (row->depth == 0 || other->depth == 0)
		return row->depth > 0;
	resolved_stack_take(&stack, row);
	resolved_stack_take(&with, other);
	size_t shown = shown_in(&stack), common = shown, of_other = shown_in(&with);
	while (common > 0 && of_other > 0
			&& is_as(&stack.frames[common - 1], &with.frames[of_other - 1])) {
		common--;
		of_other--;
	}
	// A frame is left if all functions that were inlined into it are common, or if it is shown.
	unsigned depth = 0;
	for (size_t left = stack.count; depth < row->depth; depth++) {
		size_t inlined = resolved_frames_of(row->frames[depth]);
		if (left <= shown && left - inlined < common)
			break;
		left -= inlined;
	}
	row->depth = depth;
	return common < shown;
}

void
grouping_free(struct grouping *grouping)
{
	intern_free(&grouping->keys);
}
